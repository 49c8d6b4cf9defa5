"""Where a webhook may lead: to the public internet only, unless the operator allows more, and where it was checked."""

import ipaddress
import socket
from dataclasses import dataclass
from urllib.parse import urlsplit

from django.conf import settings

MOST_CHARACTERS = 2_000
PORTS = {"http": 80, "https": 443}


class AddressRefusedError(ValueError):
    """A webhook may not lead there; the message says why and what to do."""


@dataclass(frozen=True)
class Place:
    """A checked address: whom to connect to (`ip`), and what to ask for."""

    scheme: str
    host: str
    port: int
    ip: str
    target: str

    @property
    def host_header(self) -> str:
        """The value of the Host header."""
        name = f"[{self.host}]" if ":" in self.host else self.host
        return name if PORTS[self.scheme] == self.port else f"{name}:{self.port}"


def check_url(url: str) -> None:
    """Refuse what is no address of a webhook, without asking any name server.

    Raises:
        AddressRefusedError: see its message.
    """
    _parts(url)


def find_place(url: str) -> Place:
    """Resolve an address and check where it leads, at this moment; connect to `ip`, not to the name again.

    Raises:
        AddressRefusedError: it is no address, cannot be resolved, or one of its addresses is not public.
    """
    scheme, host, port, target = _parts(url)
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise AddressRefusedError(f"The host {host} cannot be found.") from error
    ips = [str(entry[4][0]) for entry in found]
    for ip in ips:
        _demand_public(host, ip)
    return Place(scheme, host, port, ips[0], target)


def shown_url(url: str) -> str:
    """The address without what may be secret in it: no user, no query, of the path its beginning."""
    scheme, host, port, target = _parts(url)
    where = f"[{host}]" if ":" in host else host
    where += "" if PORTS[scheme] == port else f":{port}"
    return f"{scheme}://{where}/…" if target != "/" else f"{scheme}://{where}/"


def _parts(url: str) -> tuple[str, str, int, str]:
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise AddressRefusedError("This is no address: write https://host/path.") from error
    is_plain = url.isascii() and url.isprintable() and " " not in url and len(url) <= MOST_CHARACTERS
    if parts.scheme not in PORTS or not parts.hostname or not is_plain:
        raise AddressRefusedError(
            "This is no address of the web: write https://host/path, in ASCII and without spaces."
        )
    if parts.username or parts.password:
        raise AddressRefusedError("A name or password in the address is not supported; receivers check the signature.")
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return parts.scheme, parts.hostname, port or PORTS[parts.scheme], target


def _demand_public(host: str, ip: str) -> None:
    if settings.WEBHOOK_ALLOW_PRIVATE:
        return
    address = ipaddress.ip_address(ip.partition("%")[0])
    mapped = getattr(address, "ipv4_mapped", None) or getattr(address, "sixtofour", None)
    for one in (address, *([mapped] if mapped else [])):
        if not one.is_global or one.is_multicast:
            raise AddressRefusedError(
                f"{host} is {ip}, which is not a public address. "
                "EVALBOARD_WEBHOOK_ALLOW_PRIVATE=1 allows webhooks into the own network."
            )
