import { isIP } from 'node:net';
import { isLoopback } from '../../lib/loopback';
import { readUrl } from '../../lib/read-url';
import { isLoopbackName } from './loopback-name';
import type { Role } from './roles';

interface SandboxSettings {
  roles: readonly Role[];
  httpHost: string;
  publicUrl: string | null;
}

/** The sandbox shows every mail and webhook without a key: one sentence for each way in which others reach it. */
export function checkSandbox({ roles, httpHost, publicUrl }: SandboxSettings): string[] {
  if (!roles.includes('sandbox')) return [];
  const isAtPublicUrl = roles.includes('api') || roles.includes('public');
  const url = publicUrl === null || !isAtPublicUrl ? null : readUrl(publicUrl);
  return [
    // What is no address is refused as such.
    ...(isLoopback(httpHost) || !isIP(httpHost)
      ? []
      : [fault('KURIR_HTTP_HOST', httpHost, 'to a loopback address, such as 127.0.0.1')]),
    ...(url === null || isLoopbackName(url.hostname)
      ? []
      : [fault('KURIR_PUBLIC_URL', publicUrl ?? '', 'to http://127.0.0.1:8080, or leave it out')]),
  ];
}

const fault = (name: string, value: string, fix: string): string =>
  `${name} is ${value}, which lets others reach the sandbox, and the sandbox shows all emails to anyone: ` +
  `set KURIR_MTA_URL to a real sending server, or ${name} ${fix}; set KURIR_SANDBOX_PUBLIC=true to allow it anyway.`;
