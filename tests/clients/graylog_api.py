"""What the scripts beside this one share: requests with the standard library only."""

import base64
import json
import urllib.error
import urllib.request


def basic(user, password):
    return "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()


class Api:
    """Calls that end the script unless the answer has the status that the client insists on."""

    def __init__(self, address, authorization=None, requested_by="Graylog API"):
        self.address = address
        self.headers = {
            "Content-Type": "application/json",
            "Accept": "application/json",
            "X-Requested-By": requested_by,
        }
        if authorization is not None:
            self.headers["Authorization"] = authorization

    def call(self, method, path, body=None, expected=200):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.address + "/api" + path, data, self.headers, method=method)
        try:
            with urllib.request.urlopen(request) as response:
                status, text = response.status, response.read()
        except urllib.error.HTTPError as error:
            status, text = error.code, error.read()
        if status != expected:
            raise SystemExit(f"{method} {path}: {status} instead of {expected}: {text.decode()}")
        return json.loads(text) if text else None
