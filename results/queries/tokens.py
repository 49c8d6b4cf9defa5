"""Effective tokens in queries: exact whatever their size, fast while all of them fit 64 bits."""


def token_expression(name: str, is_exact: bool) -> str:
    """SQL of a kept token count: BIGINT, or DECIMAL(38,0) when the facts hold numbers too large for floating point.

    Args:
        name: one of `results.facts.tokens.TOKEN_COLUMNS`.
        is_exact: `Reading.has_large_numbers`.
    """
    return f"coalesce({name}_wide, {name}::DECIMAL(38,0))" if is_exact else name
