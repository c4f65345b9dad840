import { ERRORS } from '../errors';

const rows = Object.entries(ERRORS).map(
  ([code, { status, text }]) => `| ${status} | \`${code}\` | ${text.replaceAll('|', '\\|')} |`,
);

/** The description at the top of the document (CommonMark). */
export const introduction = `The email service's REST API: one email by one call, and what became of it; contacts, audiences, campaigns, journeys,
conversions and webhooks around it.

**Keys.** Every request carries \`Authorization: Bearer <API_KEY>\`; a key is never read from the query string. A key has scopes, and
each operation names the one it needs. Use keys on servers only: no CORS headers are sent.

**Requests** are JSON or forms (\`application/x-www-form-urlencoded\`, nested fields in brackets). Leading and trailing spaces of text
are trimmed, empty text and \`null\` are fields not supplied, unknown fields are ignored. A body has at most 20 MB.

**Answers** are always JSON. Times are UTC, ISO 8601; money is whole rupiah. Fields may be added to answers.
\`HEAD\` is answered wherever \`GET\` is. Any other method on a path below is answered 405.

**Rate limit.** Requests are counted per key, without one per IP address; \`X-RateLimit-Limit\` and \`X-RateLimit-Remaining\` are on every
answer. Above the limit: 429, with \`Retry-After\` (seconds) and \`X-RateLimit-Reset\` (unix time).

**Errors** have a \`message\` for people and a \`code\` for programs; faults of fields are in \`errors\`. Repeating a 4xx unchanged does
not change the outcome, but for 429. A 500 or 503 may be repeated with pauses, for example of 1, 5 and 30 seconds.

<details>
<summary>Every code</summary>

| status | code | message |
| --- | --- | --- |
${rows.join('\n')}

</details>

\`unreadable_request\` answers what is no HTTP request, also with 408, 413 and 431. Where a message names a scope, a field or a number it
does so in the answer.`;
