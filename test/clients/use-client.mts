// Sends a mail and reads it back, with the generated TypeScript client.
import createClient from 'openapi-fetch';
import type { components, paths } from './api.js';

const { BASE_URL = '', API_KEY = '', DOMAIN_ID = '' } = process.env;
const client = createClient<paths>({ baseUrl: BASE_URL, headers: { Authorization: `Bearer ${API_KEY}` } });

function expect(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Error(`${what}: not so`);
}

const mail = {
  to: 'delivered@example.test',
  subject: 'TypeScript',
  html: '<p>Hello</p>',
  sending_domain_id: Number(DOMAIN_ID),
};
const sent = await client.POST('/messages', { body: { ...mail, metadata: { order: 'A-1', paid: true } } });
expect(sent.data?.status === 'queued', 'the mail is accepted');
const { message_id: id } = sent.data;

const shown = await client.GET('/messages/{id}', { params: { path: { id } } });
expect(shown.data?.metadata['order'] === 'A-1', 'the message is shown');
const listed = await client.GET('/messages', { params: { query: { page: 1 } } });
expect(listed.data?.data.some(({ message_id }) => message_id === id) ?? false, 'the message is listed');

const refused = await client.POST('/messages', { body: { ...mail, subject: '' } });
const errors: components['schemas']['ValidationError']['errors'] =
  refused.error && 'errors' in refused.error ? refused.error.errors : {};
expect(errors?.['subject']?.[0] === 'The subject field is required.', 'the error names the field');

const audience = await client.POST('/audiences', { body: { name: 'TypeScript' } });
expect(audience.data !== undefined, 'the audience is created');
const path = { id: audience.data.id };
const byEmail = await client.POST('/audiences/{id}/contacts', {
  params: { path },
  body: { email: 'siti@pelanggan.example', consent: true },
});
expect(byEmail.data?.status === 'subscribed', 'a member is added by address');
const byId = await client.POST('/audiences/{id}/contacts', { params: { path }, body: { contact_id: byEmail.data.id } });
expect(byId.response.status === 200, 'the same member is known by id');
const sale = { amount: 250_000, email: 'siti@pelanggan.example' };
expect((await client.POST('/conversions', { body: sale })).data?.received ?? false, 'a sale is received');
