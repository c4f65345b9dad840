import { SCREENS } from '../../dashboard/screens';
import type { Furnished } from './shop-fill';
import { emailOf, SHOP, type Shop } from './shop-rows';
import { sleep } from '../../lib/sleep';
import { monotonic } from './time';

/** A screen, or a list narrowed in one way. */
export interface Address {
  name: string;
  path: string;
}

/** What is left out: files of the whole workspace, and a report that only its own process keeps. */
const LEFT_OUT = ['/contacts/export', '/audiences/:id/export', '/contacts/imports/:id', '/campaigns/preview'];

/** The query without which a screen has nothing to show. */
const QUERIES: Readonly<Record<string, string>> = { '/journeys/:id/edit/step': '?step=1' };

/** The address of every screen of the dashboard, and those of the filters of Messages. */
export function addressesOf({ shop, ids }: Furnished, message: string): Address[] {
  const known: Readonly<Record<string, string>> = { ...ids, messages: message };
  const paths = new Set(SCREENS.filter(({ method }) => method === 'GET').map(({ of, path }) => `${of} ${path}`));
  const screens = [...paths].flatMap((key): Address[] => {
    const [of = '', path = ''] = key.split(' ');
    if (LEFT_OUT.includes(path)) return [];
    const filled = path.replace(/:(\w+)/g, (_, name: string) =>
      name === 'id' || name === 'email'
        ? (known[path] ?? known[path.split('/')[1] ?? ''] ?? name)
        : (known[name] ?? name),
    );
    const base = of === 'workspace' ? `/app/w/${SHOP}` : '/app';
    const name = of === 'workspace' ? path || '(overview)' : `/app${path}`;
    return [{ name, path: base + filled + (QUERIES[path] ?? '') }];
  });
  return [...screens, ...searches(shop, message)];
}

/** The last page of 50 that has a number. */
const lastPage = (messages: number): string => String(Math.floor(Math.min(messages, 50_000) / 50));

function searches(shop: Shop, id: string): Address[] {
  const day = (ago: number): string => new Date(shop.now - ago * 86_400_000).toISOString();
  const filters: Readonly<Record<string, Record<string, string>>> = {
    recipient: { to: emailOf(7) },
    'no such recipient': { to: 'nobody@contoh.example' },
    id: { to: id },
    'status, most': { status: 'delivered' },
    'status, few': { status: 'bounced' },
    'status, last page': { status: 'delivered', page: lastPage(shop.size.messages * 0.85) },
    'status, behind the pages': { status: 'delivered', after: id },
    channel: { channel: 'api' },
    'one day': { since: day(31), until: day(30) },
    '60 days': { since: day(70), until: day(10) },
    '60 days and status': { since: day(70), until: day(10), status: 'bounced' },
    'no such subject': { subject: 'tidak ada' },
    'no such metadata': { metadata: 'order_no=x' },
    campaign: { campaign: String(shop.largest.id) },
    'last page': { page: lastPage(shop.size.messages) },
  };
  return Object.entries(filters).map(([name, query]) => ({
    name: `/messages by ${name}`,
    path: `/app/w/${SHOP}/messages?${new URLSearchParams(query).toString()}`,
  }));
}

/** A person who reads screens of the service at this port. */
export class Reader {
  constructor(
    private readonly port: number,
    private readonly session: string,
  ) {}

  /** Requests a screen. Returns how long its whole answer took, ms. Throws when it is an error. */
  async time({ name, path }: Address): Promise<number> {
    const began = monotonic();
    await this.read(name, path);
    return monotonic() - began;
  }

  /** Bytes of script that a page loads, as they are stored; null for what is no page. */
  async scriptBytes({ name, path }: Address): Promise<number | null> {
    const { type, text } = await this.read(name, path);
    if (!type.includes('text/html')) return null;
    const sources = [...text.matchAll(/<script[^>]+src="([^"]+)"/g)].map(([, src = '']) => src);
    const sizes = await Promise.all(sources.map(async (src) => (await this.read(src, src)).text.length));
    return sizes.reduce((sum, size) => sum + size, 0);
  }

  /** Reads at this pace until `signal` says stop, as several people at once would. Returns how many it read. */
  async browse(addresses: readonly Address[], perSecond: number, signal: AbortSignal): Promise<number> {
    let n = 0;
    for (const began = monotonic(); !signal.aborted; n += 1) {
      await this.time(addresses[n % addresses.length]!);
      await sleep(Math.max(0, began + ((n + 1) * 1_000) / perSecond - monotonic()));
    }
    return n;
  }

  private async read(name: string, path: string): Promise<{ type: string; text: string }> {
    const headers = { cookie: `kurir_session=${this.session}; kurir_language=en` };
    const response = await fetch(`http://127.0.0.1:${this.port}${path}`, { headers, redirect: 'manual' });
    const text = await response.text();
    if (response.status >= 400) throw new Error(`${name} (${path}) answered ${response.status}: ${text.slice(0, 300)}`);
    return { type: response.headers.get('content-type') ?? '', text };
  }
}
