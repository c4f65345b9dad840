"""Sends a mail and reads it back, with the generated Python client."""

import os

from kurir_client import AuthenticatedClient
from kurir_client.api.audiences import add_member, create_audience
from kurir_client.api.conversions import record_conversion
from kurir_client.api.messages import list_messages, send_message, show_message
from kurir_client.models import (
    AcceptedMessage,
    Audience,
    Contact,
    ContentMessage,
    ContentMessageMetadataType0,
    Conversion,
    ConversionByEmail,
    CreateAudienceRequest,
    MemberByEmail,
    MemberById,
    Message,
    MessagePage,
    ValidationError,
)

client = AuthenticatedClient(base_url=os.environ["BASE_URL"], token=os.environ["API_KEY"])
domain_id = int(os.environ["DOMAIN_ID"])

metadata = ContentMessageMetadataType0()
metadata["order"] = "A-1"
mail = ContentMessage(
    to="delivered@example.test", subject="Python", html="<p>Hello</p>", sending_domain_id=domain_id, metadata=metadata
)
sent = send_message.sync(client=client, body=mail)
assert isinstance(sent, AcceptedMessage) and sent.status == "queued", sent

shown = show_message.sync(sent.message_id, client=client)
assert isinstance(shown, Message) and shown.metadata["order"] == "A-1", shown
listed = list_messages.sync(client=client, page=1)
assert isinstance(listed, MessagePage), listed
assert sent.message_id in [item.message_id for item in listed.data], listed

mail.subject = ""
refused = send_message.sync(client=client, body=mail)
assert isinstance(refused, ValidationError) and refused.code == 'validation_failed', refused

audience = create_audience.sync(client=client, body=CreateAudienceRequest("Python"))
assert isinstance(audience, Audience), audience
contact = add_member.sync(audience.id, client=client, body=MemberByEmail("siti@pelanggan.example", True))
assert isinstance(contact, Contact), contact
again = add_member.sync_detailed(audience.id, client=client, body=MemberById(contact.id))
assert again.status_code == 200, again
sale = record_conversion.sync(client=client, body=ConversionByEmail(250_000, "siti@pelanggan.example"))
assert isinstance(sale, Conversion) and sale.received, sale
