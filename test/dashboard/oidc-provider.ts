import { createHash, createSign, generateKeyPairSync, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the token of a sign-in says, in place of what is right. */
export interface Bent {
  claims?: Record<string, unknown>;
  header?: Record<string, unknown>;
  /** Signs with a key that is not published. */
  isForged?: boolean;
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const newKey = () => generateKeyPairSync('rsa', { modulusLength: 2048 });

/** An OpenID provider on loopback. It checks PKCE and the client, and gives each code once. */
export class TestProvider {
  private readonly codes = new Map<string, { challenge: string; nonce: string; bent: Bent; claims: object }>();
  private readonly key = newKey();
  private readonly other = newKey();
  private readonly server: Server = createServer((request, response) => void this.answer(request, response));
  issuer = '';

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    this.issuer = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** Somebody signs in at the address that they were sent to. Returns the query of the way back. */
  authorize(location: string, claims: object, bent: Bent = {}): string {
    const asked = new URL(location).searchParams;
    const code = randomUUID();
    const nonce = asked.get('nonce') ?? '';
    if (asked.get('code_challenge_method') !== 'S256') throw new Error('no PKCE');
    this.codes.set(code, { challenge: asked.get('code_challenge') ?? '', nonce, bent, claims });
    return new URLSearchParams({ code, state: asked.get('state') ?? '' }).toString();
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const body = new URLSearchParams(Buffer.concat(chunks).toString());
    const said = this.document(request, body);
    response.writeHead(said ? 200 : 400, { 'content-type': 'application/json' });
    response.end(JSON.stringify(said ?? { error: 'invalid_grant' }));
  }

  private document({ url, headers }: IncomingMessage, body: URLSearchParams): object | null {
    const { issuer } = this;
    if (url === '/.well-known/openid-configuration') {
      return {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256', 'none'],
      };
    }
    if (url === '/jwks') return { keys: [{ ...this.key.publicKey.export({ format: 'jwk' }), kid: '1', use: 'sig' }] };
    const basic = `Basic ${Buffer.from('kurir:clientsecret').toString('base64')}`;
    const found = this.codes.get(body.get('code') ?? '');
    this.codes.delete(body.get('code') ?? '');
    const verifier = createHash('sha256')
      .update(body.get('code_verifier') ?? '')
      .digest('base64url');
    if (!found || headers.authorization !== basic || verifier !== found.challenge) return null;
    return { access_token: 'a', token_type: 'Bearer', expires_in: 60, id_token: this.token(found) };
  }

  private token({ nonce, bent, claims }: { nonce: string; bent: Bent; claims: object }): string {
    const now = Math.floor(Date.now() / 1_000);
    const header = { alg: 'RS256', kid: '1', ...bent.header };
    const payload = { iss: this.issuer, aud: 'kurir', iat: now, exp: now + 60, nonce, ...claims, ...bent.claims };
    const text = `${encode(header)}.${encode(payload)}`;
    if (header.alg === 'none') return `${text}.`;
    const { privateKey } = bent.isForged ? this.other : this.key;
    return `${text}.${createSign('RSA-SHA256').update(text).sign(privateKey, 'base64url')}`;
  }
}
