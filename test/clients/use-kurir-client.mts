// Sends a mail and reads it back, with the client of clients/typescript, whose types are those of the document.
import { Kurir, KurirError } from 'kurir-client';

const { BASE_URL = '', API_KEY = '', DOMAIN_ID = '' } = process.env;
const kurir = new Kurir({ baseUrl: BASE_URL, apiKey: API_KEY });

function expect(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Error(`${what}: not so`);
}

const mail = {
  to: 'delivered@example.test',
  subject: 'Kurir',
  html: '<p>Hello</p>',
  sending_domain_id: Number(DOMAIN_ID),
};
const { message_id: id } = await kurir.post('/messages', { body: { ...mail, metadata: { order: 'A-1' } } });
const shown = await kurir.get('/messages/{id}', { path: { id } });
expect(shown.metadata['order'] === 'A-1', 'the message is shown');
const listed = await kurir.get('/messages', { query: { page: 1 } });
expect(
  listed.data.some(({ message_id }) => message_id === id),
  'the message is listed',
);
const account = await kurir.get('/account');
expect((account.email?.coins ?? 0) > 0, 'the account has coins');

const error = await kurir.post('/messages', { body: { ...mail, subject: '' } }).catch((reason: unknown) => reason);
expect(error instanceof KurirError && error.errors['subject'] !== undefined, 'the error names the field');

// Paths and parameters are those of the document.
type Path = Parameters<typeof kurir.get>[0];
const isTyped: ['/messages' extends Path ? true : false, '/nowhere' extends Path ? true : false] = [true, false];
expect(isTyped[0] && !isTyped[1], 'the paths have their types');
