"""Answers questions about channels by libraries that others wrote.

Each line of standard input is a JSON object: "ask" names a function below, the rest are its arguments. Each
line of standard output is the answer, or {"failed": why}.
"""

import email
import email.policy
import json
import sys
import traceback
from enum import Enum

import boto3
import httpx
import pywa
import requests
from pywa import WhatsApp, errors, types
from twilio.http.http_client import TwilioHttpClient
from twilio.request_validator import RequestValidator
from twilio.rest import Client
from twilio.twiml.messaging_response import MessagingResponse


class Form(dict):
    """A form whose parameters may be repeated, as RequestValidator reads it."""

    def getall(self, name):
        return self[name]


def twilio_sign(token, url, form):
    return {"signature": RequestValidator(token).compute_signature(url, Form(form))}


class Detour(TwilioHttpClient):
    """Makes Twilio's calls at another address."""

    def __init__(self, address):
        super().__init__()
        self.address = address

    def request(self, method, url, *args, **kwargs):
        return super().request(method, url.replace("https://api.twilio.com", self.address), *args, **kwargs)


def twilio_send(address, account, token, message):
    sent = Client(account, token, http_client=Detour(address)).messages.create(**message)
    return {"sid": sent.sid, "status": sent.status}


def twilio_reply():
    return {"body": str(MessagingResponse())}


class Elsewhere(httpx.HTTPTransport):
    """Makes Meta's calls at another address."""

    def __init__(self, address):
        super().__init__()
        self.address = httpx.URL(address)

    def handle_request(self, request):
        request.url = request.url.copy_with(
            scheme=self.address.scheme, host=self.address.host, port=self.address.port
        )
        return super().handle_request(request)


def whatsapp(number, address="http://127.0.0.1:1", **more):
    return WhatsApp(
        phone_id=number,
        token="EAAG0bXk",
        session=httpx.Client(transport=Elsewhere(address)),
        server=None,
        filter_updates=False,
        skip_duplicate_updates=False,
        **more,
    )


def plain(value):
    """What JSON can hold of what pywa read."""
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Exception):
        return {"error": type(value).__name__, "code": getattr(value, "code", None)}
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    if hasattr(value, "timestamp") and callable(value.timestamp):
        return int(value.timestamp())
    if hasattr(value, "__dataclass_fields__"):
        return {n: plain(getattr(value, n, None)) for n in value.__dataclass_fields__ if not n.startswith("_")}
    return value if isinstance(value, (str, int, float, bool, type(None))) else str(value)


def pywa_read(number, secret, body, signature):
    """Verifies a post as pywa's server does, and reads it by pywa's handlers."""
    wa = whatsapp(number, app_secret=secret, verify_token="x")
    raw = body.encode()
    refused = wa.webhook_update_validator(raw, signature)
    if refused:
        return {"refused": refused[1]}
    seen = []
    for name in dir(wa):
        if name.startswith("on_") and name not in ("on_raw_update", "on_flow_request"):
            getattr(wa, name)()(lambda _, update, name=name: seen.append({"as": name, "update": plain(update)}))
    wa.webhook_update_handler(raw)
    return {"updates": seen}


def pywa_send(address, number, to, text=None, ref=None, buttons=None, rows=None, template=None, read=None):
    wa = whatsapp(number, address)
    if read:
        return {"done": bool(wa.indicate_typing(read))}
    if template:
        body = template["params"]
        sent = wa.send_template(
            to=to,
            name=template["name"],
            language=types.templates.TemplateLanguage(template["language"]),
            params=[types.templates.BodyText.params(*body)] if body else [],
            tracker=ref,
        )
        return {"id": sent.id}
    choices = None
    if buttons:
        choices = [types.Button(title=b["title"], callback_data=b["id"]) for b in buttons]
    if rows:
        section = types.Section("", [types.SectionRow(title=r["title"], callback_data=r["id"]) for r in rows])
        choices = types.SectionList(button_title="···", sections=[section])
    return {"id": wa.send_message(to=to, text=text, buttons=choices, tracker=ref).id}


def pywa_failure(address, number, to):
    """Sends a message that is refused, and names the errors that pywa takes it for."""
    try:
        whatsapp(number, address).send_message(to=to, text="Hi")
    except errors.WhatsAppError as e:
        return {"classes": [c.__name__ for c in type(e).__mro__]}
    return {"classes": []}


def pywa_codes():
    """The codes of Meta's errors that pywa knows, by the group of errors."""
    return {
        group.__name__: [c for kind in group.__subclasses__() for c in kind.__error_codes__ or ()]
        for group in (errors.AuthorizationError, errors.ThrottlingError, errors.IntegrityError)
    }


def mail_read(raw):
    """Reads a mail by Python's own parser."""
    m = email.message_from_bytes(raw.encode(), policy=email.policy.default)
    parts = {t: (p.get_content() if p else "") for t, p in ((t, m.get_body([t])) for t in ("plain", "html"))}
    names = ("From", "To", "Subject", "Message-ID", "In-Reply-To", "References", "Reply-To", "Auto-Submitted")
    sender = m["From"].addresses[0]
    return {
        "headers": {name: str(m[name] or "") for name in names},
        "name": sender.display_name,
        "address": sender.addr_spec,
        "text": parts["plain"],
        "html": parts["html"],
        "defects": [str(d) for part in m.walk() for d in part.defects]
        + [str(d) for value in m.values() for d in getattr(value, "defects", ())],
    }


def aws_prepare(address, sender, bucket, key, content):
    """Makes a bucket with an object, and a user who may send mail and read it. Every call is judged by its signature
    from then on."""
    settings = {"endpoint_url": address, "region_name": "eu-west-1", "aws_access_key_id": "x",
                "aws_secret_access_key": "x"}
    boto3.client("sesv2", **settings).create_email_identity(EmailIdentity=sender)
    s3 = boto3.client("s3", **settings)
    s3.create_bucket(Bucket=bucket, CreateBucketConfiguration={"LocationConstraint": "eu-west-1"})
    s3.put_object(Bucket=bucket, Key=key, Body=content.encode())
    iam = boto3.client("iam", **settings)
    iam.create_user(UserName="desk")
    allowed = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "*", "Resource": "*"}]}
    iam.put_user_policy(UserName="desk", PolicyName="mail", PolicyDocument=json.dumps(allowed))
    made = iam.create_access_key(UserName="desk")["AccessKey"]
    requests.post(address + "/moto-api/reset-auth", data="0", timeout=10).raise_for_status()
    return {"key": made["AccessKeyId"], "secret": made["SecretAccessKey"]}


def main():
    functions = {n: f for n, f in globals().items() if callable(f) and getattr(f, "__module__", "") == __name__}
    for line in sys.stdin:
        arguments = json.loads(line)
        try:
            answer = functions[arguments.pop("ask")](**arguments)
        except Exception:
            answer = {"failed": traceback.format_exc()}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
