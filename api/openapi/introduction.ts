import { ERRORS } from '../errors';

const rows = Object.entries(ERRORS).map(
  ([code, { status, text }]) => `| ${status} | \`${code}\` | ${text.replaceAll('|', '\\|')} |`,
);

/** The description at the top of the document (CommonMark). */
export const introduction = `The email service's REST API: send an email with one call and see its status; manage contacts, audiences, campaigns,
journeys, conversions and webhooks.

**Keys.** Every request needs \`Authorization: Bearer <API_KEY>\`; a key in the query string is ignored. A key has scopes, and
each operation names the scope it needs. Use keys on servers only: no CORS headers are sent.

**Requests** are JSON or forms (\`application/x-www-form-urlencoded\`, nested fields in brackets). Leading and trailing spaces of text
are trimmed, empty text and \`null\` count as absent, and unknown fields are ignored. A body may have at most 20 MB, a form 4 MB.

**Responses** are always JSON. Times are UTC, ISO 8601; money is whole rupiah. New fields may be added to responses.
\`HEAD\` works wherever \`GET\` does. Any other method on a path below returns 405.

**Rate limit.** Requests are counted per key, or per IP address without a key; \`X-RateLimit-Limit\` and \`X-RateLimit-Remaining\` are in every
answer. Above the limit: 429, with \`Retry-After\` (seconds) and \`X-RateLimit-Reset\` (unix time).

**Errors** have a \`message\` for people and a \`code\` for programs; \`errors\` lists invalid fields. Repeating a 4xx unchanged does
not change the outcome, except for 429. A 500 or 503 may be retried with pauses, for example of 1, 5 and 30 seconds.

<details>
<summary>All codes</summary>

| status | code | message |
| --- | --- | --- |
${rows.join('\n')}

</details>

\`unreadable_request\` is returned for anything that is not an HTTP request and for two Host headers, also with 408, 413 and 431. Scopes, fields and numbers in
these messages vary with the request.`;
