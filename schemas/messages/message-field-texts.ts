/** What each field of POST /messages is, for the document of the API. */
export const MESSAGE_FIELD_TEXTS = {
  to: 'One email address.',
  subject: 'May contain merge tags.',
  html: 'May contain merge tags.',
  sending_domain_id: 'ID of an owned domain with status active.',
  from_email: 'Must use the domain of sending_domain_id, not a subdomain. Default: `no-reply@` plus that domain.',
  from_name: 'Default: the business name.',
  reply_to: 'Reply address; may be any domain.',
  text: 'Generated from html when empty.',
  metadata:
    'Your own object, returned with the status and in every webhook. At most 10 keys of A-Z a-z 0-9 _ . - and plain values.',
  attachments:
    'At most 10, 10 MB decoded in total. Files that run code (.exe, .bat, .js, .iso ...) are rejected. Kept only until ' +
    'hand-off, 4 days at most, counted from send_at.',
  template_id: 'A template of the workspace, instead of subject, html and text.',
  variables: 'A value for each variable of the template, of its type: text of at most 2,000 characters, or a number.',
  send_at:
    'When to send it: ISO 8601 with an offset, at most 30 days ahead. Until then it is `queued`. Balance, suppression and contact ' +
    'are looked at again when it is due.',
} as const satisfies Readonly<Record<string, string>>;
