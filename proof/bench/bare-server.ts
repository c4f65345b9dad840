import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import Router from '@koa/router';
import Joi from 'joi';
import Koa from 'koa';
import getRawBody from 'raw-body';

const attachment = Joi.object({
  filename: Joi.string().trim().max(255).required(),
  content: Joi.string().base64().required(),
  content_type: Joi.string().trim(),
}).unknown();

/** Only the field rules of POST /messages. */
const schema = Joi.object({
  to: Joi.string().trim().email({ tlds: false }).max(255).required(),
  subject: Joi.string().trim().max(255).required(),
  html: Joi.string().trim().max(500_000).required(),
  sending_domain_id: Joi.number().integer().required(),
  from_email: Joi.string().trim().email({ tlds: false }),
  from_name: Joi.string().trim().max(100),
  reply_to: Joi.string().trim().email({ tlds: false }),
  text: Joi.string().trim().max(500_000),
  metadata: Joi.object()
    .max(10)
    .pattern(/^[A-Za-z0-9_.-]{1,40}$/, Joi.alternatives(Joi.string().max(500), Joi.number(), Joi.boolean(), null)),
  attachments: Joi.array().max(10).items(attachment),
}).unknown();

export interface BareServer {
  /** On 127.0.0.1. */
  port: number;
  close(): void;
}

/** The minimum an HTTP server in this stack does for a message: read, parse, validate, answer. */
export async function listenBare(): Promise<BareServer> {
  const router = new Router();
  router.post('/v1/messages', async (context) => {
    const body: unknown = JSON.parse(await getRawBody(context.req, { limit: '20mb', encoding: 'utf8' }));
    const { error } = schema.validate(body, { abortEarly: false });
    context.status = error ? 422 : 201;
    context.body = error ? { message: error.message } : { message_id: randomUUID(), status: 'queued' };
  });
  const server = new Koa().use(router.routes()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { port: (server.address() as AddressInfo).port, close };
}
