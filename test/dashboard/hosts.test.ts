import { createServer, type AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { firstOperatorLink } from '../../dashboard';
import { mailPolicy } from '../../dashboard/kit/guard';
import { openHttpApps } from '../../app/program/http-apps';
import { rawRequest } from '../support/raw-http';
import { Running, temporaryInstallation } from '../support/running';

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });

const start = (env: Record<string, string>): Promise<Running> =>
  Running.startOn(temporaryInstallation(), env, undefined, { httpApps: openHttpApps });

/** The status of a path at a host. */
async function ask(port: number, host: string, path: string): Promise<number> {
  const text = `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
  return (await rawRequest(port, [text])).status;
}

const portOf = (running: Running): number => Number(new URL(running.kurir.baseUrl).port);
/** A page for recipients. */
const PUBLIC = '/produk';

describe('the dashboard at a host of its own', () => {
  it('shows in the frame of a mail the images kept at the public host, and nothing else from there', () => {
    expect(mailPolicy('https://mail.toko.example')).toMatch(
      /; img-src 'self' data: https:\/\/mail\.toko\.example\/i\/; /,
    );
  });

  it('is not at the host of links in mails, and they are not at its host; the API is at both', async () => {
    const port = await freePort();
    const running = await start({
      KURIR_HTTP_PORT: String(port),
      KURIR_PUBLIC_URL: `http://localhost:${port}`,
      KURIR_DASHBOARD_URL: `http://app.localhost:${port}`,
    });
    try {
      const [mail, app] = [`localhost:${port}`, `app.localhost:${port}`];
      expect(await Promise.all([mail, app].map((host) => ask(port, host, '/app/sign-in')))).toEqual([404, 200]);
      expect(await Promise.all([mail, app].map((host) => ask(port, host, '/admin/v1/health')))).toEqual([404, 401]);
      expect(await Promise.all([mail, app].map((host) => ask(port, host, PUBLIC)))).toEqual([200, 404]);
      expect(await Promise.all([mail, app].map((host) => ask(port, host, '/v1/account')))).toEqual([401, 401]);
      expect(await ask(port, 'foreign.example', '/app/sign-in')).toBe(404);
      expect(await firstOperatorLink(running.kurir.services)).toMatch(/^http:\/\/app\.localhost:\d+\/app\/claim\//);
    } finally {
      await running.stop();
    }
  });

  it('is at the one host with everything else, where the path of the cookie keeps them apart', async () => {
    const running = await start({});
    try {
      const port = portOf(running);
      expect(await ask(port, `127.0.0.1:${port}`, '/app/sign-in')).toBe(200);
      expect(await ask(port, `127.0.0.1:${port}`, PUBLIC)).toBe(200);
      const response = await fetch(`http://127.0.0.1:${port}/app/language`, {
        method: 'POST',
        body: new URLSearchParams({ language: 'id' }),
        redirect: 'manual',
      });
      const [cookie = ''] = response.headers.getSetCookie();
      expect(cookie).toContain('Path=/app');
      expect(cookie).not.toContain('Domain');
    } finally {
      await running.stop();
    }
  });
});

describe('the dashboard at a port of its own', () => {
  it('is served there and nowhere else, with links that lead there', async () => {
    const own = await freePort();
    const running = await start({ KURIR_DASHBOARD_PORT: String(own) });
    const port = portOf(running);
    try {
      const paths = ['/app/sign-in', '/admin/v1/health', PUBLIC, '/v1/account'];
      expect(await Promise.all(paths.map((path) => ask(own, `127.0.0.1:${own}`, path)))).toEqual([200, 401, 404, 404]);
      expect(await Promise.all(paths.map((path) => ask(port, `127.0.0.1:${port}`, path)))).toEqual([
        404, 404, 200, 401,
      ]);
      expect(await ask(own, 'foreign.example', '/app/sign-in')).toBe(404);
      const { services } = running.kurir;
      expect(await firstOperatorLink(services)).toMatch(new RegExp(`^http://127.0.0.1:${own}/app/claim/`));
    } finally {
      await running.stop();
    }
    await expect(fetch(`http://127.0.0.1:${own}/app/sign-in`)).rejects.toThrow('fetch failed');
  });

  it('says which setting names a port that is taken, and leaves nothing running', async () => {
    const taken = createServer();
    const port = await new Promise<number>((resolve) => {
      taken.listen(0, '127.0.0.1', () => resolve((taken.address() as AddressInfo).port));
    });
    await expect(start({ KURIR_DASHBOARD_PORT: String(port) })).rejects.toThrow(/KURIR_DASHBOARD_PORT/);
    await new Promise((resolve) => taken.close(resolve));
  });
});
