"""Addresses: everything is the frontend's, included by name."""

from django.urls import include, path

urlpatterns = [path("", include("frontend.urls"))]

handler400 = "frontend.views.errors.bad_request"
handler403 = "frontend.views.errors.forbidden"
handler404 = "frontend.views.errors.not_found"
handler500 = "frontend.views.errors.server_error"
