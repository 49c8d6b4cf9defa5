"""Models that shape tools and schemas for their service once, not before every request."""

from pydantic_ai.models import Model, ModelRequestParameters


class KeptForms(Model):
    """To stand before a model of pydantic-ai: remembers what it last made of which parameters."""

    _kept: tuple[ModelRequestParameters, ModelRequestParameters] | None = None

    def customize_request_parameters(self, model_request_parameters: ModelRequestParameters) -> ModelRequestParameters:
        """Shape the schemas; the same object (all text tasks of a run share one) is not looked at twice."""
        if self._kept is None or self._kept[0] is not model_request_parameters:
            self._kept = (model_request_parameters, super().customize_request_parameters(model_request_parameters))
        return self._kept[1]
