"""Takes webhooks of Frontdesk on 127.0.0.1:$PORT that are signed with $WEBHOOK_SECRET. Run: python3 receiver.py"""

import base64
import hashlib
import hmac
import os
import re
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TOLERANCE = 5 * 60  # seconds that the time of a request may be from ours
MAX_BODY = 1 << 20

SECRET = os.environ.get("WEBHOOK_SECRET")
if not SECRET:
    raise SystemExit("WEBHOOK_SECRET is not set")  # anybody can sign with an empty secret


def signed_message(headers, body):
    """Checks webhook-signature, which is over the id, the time and the body."""
    msg_id, at = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    if not re.fullmatch("[0-9]{1,12}", at) or abs(time.time() - int(at)) > TOLERANCE:
        return False  # a request of back then, sent again by somebody
    key = base64.b64decode(SECRET[6:]) if SECRET.startswith("whsec_") else SECRET.encode()
    digest = hmac.digest(key, f"{msg_id}.{at}.".encode() + body, hashlib.sha256)
    want = "v1," + base64.b64encode(digest).decode()
    # After a rotation there are two, and one of them is ours.
    return any(equal(signature, want) for signature in headers.get("webhook-signature", "").split())


def signed_body(headers, body, prefix):
    """Checks X-Service-Signature, which is over the body: with the prefix sha256= for events, without for actions."""
    want = prefix + hmac.digest(SECRET.encode(), body, hashlib.sha256).hex()
    return equal(headers.get("x-service-signature", ""), want)


def equal(a, b):
    """Compares two texts in a time that does not tell how much of them is alike."""
    return hmac.compare_digest(a.encode(), b.encode())


CHECKS = {
    "/webhooks": signed_message,
    "/webhooks/body": lambda headers, body: signed_body(headers, body, "sha256="),
    "/actions/body": lambda headers, body: signed_body(headers, body, ""),
}

seen = set()  # yours is a table in your database, written along with what the event leads to
lock = threading.Lock()


def handle(event, body):
    """Is where your own work begins. It has ten seconds; what takes longer goes to a queue of yours."""
    print(event, body.decode(), flush=True)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        signed = CHECKS.get(self.path)
        if signed is None:
            return self.answer(404)
        length = self.headers.get("content-length", "")
        if not length.isdigit() or int(length) > MAX_BODY:
            return self.answer(400)
        body = self.rfile.read(int(length))  # the bytes as they came
        if not signed(self.headers, body):
            return self.answer(403)
        msg_id = self.headers["webhook-id"]
        with lock:
            if msg_id not in seen:
                handle(self.headers["x-service-event"], body)
                seen.add(msg_id)
        self.answer(204)  # an event that is known is answered like a new one

    def answer(self, status):
        self.send_response(status)
        self.end_headers()

    def log_message(self, *args):
        pass


ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8080"))), Receiver).serve_forever()
