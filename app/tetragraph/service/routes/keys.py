"""Routes of keys, for admins of all corpora."""

from __future__ import annotations

from datetime import timedelta

from fastapi import Request, Response

from tetragraph.client.remote.requests import KeyRequest
from tetragraph.client.remote.values import Form
from tetragraph.service.access import needs, router
from tetragraph.service.keys import KeyRecord
from tetragraph.service.replies import reply
from tetragraph.service.state import service_of

routes = router("/v1/keys", "keys")


class CreatedKey(Form):
    """A new key, which is shown this once, and its record."""

    key: str
    record: KeyRecord


@routes.get("", response_model=list[KeyRecord], **needs("operator"))
async def list_keys(request: Request) -> Response:
    """List the keys with their rights, without the secrets."""
    service = service_of(request)
    return reply(await service.control.run(service.keys.list), list[KeyRecord])


@routes.post("", status_code=201, response_model=CreatedKey, **needs("operator"))
async def create_key(request: Request, asked: KeyRequest) -> Response:
    """Create a key; only its hash is stored."""
    service = service_of(request)
    lifetime = None if asked.lifetime_s is None else timedelta(seconds=asked.lifetime_s)
    key, record = await service.control.run(
        service.keys.create, asked.scopes, asked.corpora, name=asked.name, lifetime=lifetime
    )
    service.callers.forget()
    return reply(CreatedKey(key=key, record=record), status=201)


@routes.delete("/{key}", response_model=KeyRecord, **needs("operator"))
async def revoke_key(request: Request, key: str) -> Response:
    """Revoke a key by its id."""
    service = service_of(request)
    record = await service.control.run(service.keys.revoke, key)
    service.callers.forget()
    return reply(record)
