"""Every error has a status and a remedy, and says nothing that is not the caller's."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from tetragraph import errors
from tetragraph.client.remote.transport import error_of
from tetragraph.client.remote.values import Problem
from tetragraph.service import problems


def classes(cls: type[errors.TetragraphError] = errors.TetragraphError) -> Iterator[type[errors.TetragraphError]]:
    yield cls
    for one in cls.__subclasses__():
        if one.__module__ == errors.__name__:
            yield from classes(one)


def make(cls: type[errors.TetragraphError]) -> errors.TetragraphError:
    if issubclass(cls, errors.UnusableReply):
        return cls("neo4j://secret-host", "raw")
    return cls("neo4j://secret-host")


@pytest.mark.parametrize("cls", sorted(set(classes()), key=repr), ids=repr)
def test_an_error_becomes_a_problem_and_the_same_error_again(cls: type[errors.TetragraphError]) -> None:
    response = problems.respond(make(cls), "r1")
    problem = Problem.model_validate_json(bytes(response.body))
    assert response.media_type == "application/problem+json"
    assert problem.status == response.status_code >= 400
    assert problem.error == cls.__name__
    assert problem.remedy
    assert problem.request_id == "r1"
    again = error_of(problem)
    assert type(again) is cls
    assert str(again) == problem.detail
    if issubclass(cls, errors.StoreError):
        assert "secret-host" not in json.dumps(problem.model_dump())
    if response.status_code == 503:
        assert int(response.headers["Retry-After"]) >= 1


def test_wrong_keys_types_and_rates_have_their_own_status() -> None:
    assert problems.status_of(problems.unauthenticated(errors.AccessDenied("x"))) == 401
    assert problems.status_of(errors.AccessDenied("x")) == 403
    assert problems.status_of(problems.unsupported_type("text/plain")) == 415
    assert problems.problem_of(problems.unsupported_type("text/plain")).error == "InvalidInput"


def test_a_failed_job_names_neither_a_class_nor_a_request() -> None:
    problem = problems.problem_of(errors.TetragraphError("the service failed: KeyError"))
    assert problem.title == "The service failed."
    assert problem.remedy.startswith("Report the id of the job to the operator")
    assert error_of(problem).__notes__ == [problem.remedy]
    of_request = problems.problem_of(errors.TetragraphError("the service failed"), "r1")
    assert of_request.remedy.startswith("Report the id of the request to the operator")
    assert error_of(of_request).__notes__ == [f"{of_request.remedy} (request r1)"]


def test_a_problem_of_an_unknown_class_is_an_error_of_the_service() -> None:
    problem = Problem(type="x", title="x", status=500, detail="d", error="os", remedy="", request_id="")
    assert type(error_of(problem)) is errors.ServiceError
