import { describe, expect, it } from '@jest/globals';
import { readConfig } from '../../../operations/config/config';
import { ConfigError } from '../../../lib/config-error';
import { serverOf, unnamedServers } from '../../../domain/sending/server-routes';

const TWO = 'main=smtp://a:p@mta.example warm=smtps://warm.example:465/';

function faultOf(url: string, routes = ''): string {
  try {
    readConfig({ KURIR_MTA_URL: url, KURIR_MTA_ROUTES: routes });
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return 'none';
}

describe('KURIR_MTA_URL', () => {
  it('is one URL, whose server is called default', () => {
    const url = 'smtp://u:a,b=c@mta.example:587';
    expect(readConfig({ KURIR_MTA_URL: url })).toMatchObject({
      mtaUrl: url,
      mtaServers: [{ name: 'default', url }],
      mtaRoutes: [],
    });
  });

  it('or several with names, between them white space or commas; the first is for all other mail', () => {
    const servers = [
      { name: 'main', url: 'smtp://a:p@mta.example' },
      { name: 'warm', url: 'smtps://warm.example:465' },
    ];
    for (const text of [TWO, TWO.replace(' ', ', '), TWO.replace(' ', '\n  ')]) {
      expect(readConfig({ KURIR_MTA_URL: text })).toMatchObject({ mtaUrl: servers[0]!.url, mtaServers: servers });
    }
  });

  it.each([
    ['main=smtp://a main=smtp://b', 'KURIR_MTA_URL names the server main twice'],
    ['main=smtp://a warm=http://b', 'KURIR_MTA_URL (warm) must be a URL that starts with smtp:// or smtps://'],
    ['main=smtp://a warm=', 'KURIR_MTA_URL (warm) must be a URL'],
    ['smtp://a smtp://b', 'KURIR_MTA_URL must be a URL'],
    ['smtp://a.example,smtp://b.example', 'KURIR_MTA_URL has several servers: name each one'],
    ['main=smtp://a.example,smtp://b.example', 'KURIR_MTA_URL (main) has several servers'],
    ['smtp://a?ignoreTLS=yes', 'KURIR_MTA_URL must have true or false for ignoreTLS'],
    ['main=smtp://a b=smtp://b?pipelining=', 'KURIR_MTA_URL (b) must have true or false for pipelining'],
    ['Main=smtp://a', 'KURIR_MTA_URL must be a URL'],
    ['main=smtp://a?pool=1 b=smtp://b', 'KURIR_MTA_URL (main) may only have the parameters ignoreTLS'],
    [`${'n'.repeat(33)}=smtp://a`, 'KURIR_MTA_URL has a server name of more than 32 characters'],
  ])('refuses %s', (text, fault) => expect(faultOf(text)).toContain(fault));

  it('shows no password of any of them', () => {
    expect(faultOf('main=smtp://u:hunter2@a warm=http://u:hunter3@b')).not.toMatch(/hunter/);
  });
});

describe('KURIR_MTA_ROUTES', () => {
  it('says which mail goes over which server; the first rule that fits decides', () => {
    const { mtaRoutes } = readConfig({
      KURIR_MTA_URL: TWO,
      KURIR_MTA_ROUTES: 'workspace:3=warm, domain:toko.example=main lane:campaign=warm',
    });
    const over = (workspaceId: number, domain: string, lane: 'campaign' | 'transactional') =>
      serverOf(mtaRoutes, { workspaceId, domain, lane });
    expect(over(3, 'toko.example', 'transactional')).toBe('warm');
    expect(over(4, 'toko.example', 'campaign')).toBe('main');
    expect(over(4, 'other.example', 'campaign')).toBe('warm');
    expect(over(4, 'other.example', 'transactional')).toBeNull();
  });

  it('says which servers take over from one that fails: the first and each that a rule names', () => {
    const KURIR_MTA_URL = ['main', 'bulk', 'one', 'two', 'new'].map((name) => `${name}=smtp://${name}`).join(' ');
    const KURIR_MTA_ROUTES = 'fallback=one fallback=two lane:campaign=bulk';
    const { mtaServers, mtaRoutes } = readConfig({ KURIR_MTA_URL, KURIR_MTA_ROUTES });
    expect(unnamedServers(mtaServers, mtaRoutes)).toEqual(['new']);
    expect(serverOf(mtaRoutes, { workspaceId: 1, domain: '', lane: 'journey' })).toBeNull();
  });

  it.each([
    ['lane:campaign=cold', 'names the server "cold", which KURIR_MTA_URL does not have'],
    ['lane:bulk=warm', 'names the lane "bulk"; lanes are transactional, journey, campaign'],
    ['workspace:toko=warm', 'names the workspace "toko", which is not a number'],
    ['domain:Toko.example=warm', 'names the domain "Toko.example" in capital letters'],
    ['lane:campaign=warm lane:campaign=main', 'has lane:campaign twice'],
    ['fallback=warm fallback=warm', 'has fallback=warm twice'],
    ['fallback:main=warm', 'has "fallback:main=warm", which is not a rule'],
    ['campaign=warm', 'has "campaign=warm", which is not a rule; a rule is workspace:3=NAME'],
  ])('refuses %s', (routes, fault) => expect(faultOf(TWO, routes)).toContain(`KURIR_MTA_ROUTES ${fault}`));
});
