import { describe, expect, it } from '@jest/globals';
import { clientMark } from '../../../domain/engagement/client-mark';
import { KnownClients, parseKnownClients } from '../../../domain/engagement/known-clients';
import { KNOWN_CLIENTS } from '../../../domain/engagement/known-clients-data';
import { messageId, TEST_KEYRING } from '../../support/builders';

const known = new KnownClients();

describe('the known agents and networks', () => {
  it('have a source each, in the comment above them', () => {
    let comment = '';
    for (const line of KNOWN_CLIENTS.split('\n')) {
      if (line === '') comment = '';
      else if (line.startsWith('#')) comment += line;
      else expect([line, comment]).toEqual([line, expect.stringMatching(/\b[a-z0-9-]+\.(com|org|io|dev)\b/)]);
    }
  });

  it('are all readable', () => {
    expect(parseKnownClients(KNOWN_CLIENTS).faults).toEqual([]);
  });

  it.each([
    ['Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)', 'proxy'],
    ['YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html', 'proxy'],
    ['Mozilla/5.0', 'prefetch'],
    ['python-requests/2.32', 'scanner'],
    ['WhatsApp/2.23.20.0', 'scanner'],
    ['Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 HeadlessChrome/120.0 Safari/537.36', 'scanner'],
    ['', null],
    ['curl/8.5.0', null],
    ['Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Version/17.5 Safari/604.1', null],
    ['Mozilla/5.0 (Linux; Android 10; CUBOT NOTE 20) AppleWebKit/537.36 Chrome/120.0 Mobile Safari/537.36', null],
    ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/126.0 Safari/537.36 Edg/126.0', null],
  ])('%s', (agent, expected) => {
    expect(known.agentOf(agent)).toBe(expected);
  });

  it.each([
    ['209.222.82.7', 'scanner'],
    ['::ffff:209.222.82.7', 'scanner'],
    ['2a01:111:f400:7e00::1', 'scanner'],
    ['203.0.113.7', null],
    ['2001:db8::1', null],
    ['no address', null],
    ['', null],
  ])('%s', (address, expected) => {
    expect(known.networkOf(address)).toBe(expected);
  });
});

describe('a file of the operator', () => {
  it('adds to them, and goes first', () => {
    const { clients, faults } = parseKnownClients(
      '# ours\n\nagent scanner Kantor Filter/\r\nnetwork prefetch 203.0.113.0/24\nagent scanner GoogleImageProxy\n',
    );
    expect(faults).toEqual([]);
    const more = new KnownClients(clients);
    expect(more.agentOf('kantor filter/2')).toBe('scanner');
    expect(more.networkOf('203.0.113.7')).toBe('prefetch');
    expect(more.agentOf('x GoogleImageProxy')).toBe('scanner');
    expect(more.agentOf('x YahooMailProxy')).toBe('proxy');
  });

  it('says what is wrong, by line', () => {
    expect(
      parseKnownClients(
        'agent robot Barra\nmachine scanner x\nnetwork scanner 10.0.0.1\nagent scanner Mac\nnetwork scanner 10.0.0.0/7',
      ).faults,
    ).toEqual([
      'line 1 has the class "robot", which must be one of scanner, prefetch, proxy',
      'line 2 must be "agent" or "network", a class, and what to look for',
      'line 3 has "10.0.0.1", which is no network in CIDR form, such as 192.0.2.0/24',
      'line 4 has an agent of fewer than 4 characters',
      'line 5 has "10.0.0.0/7", which is wider than /8',
    ]);
  });
});

describe('the mark of a client', () => {
  it('has 16 bits, is the same for one message and network, and another for the next message', () => {
    const id = messageId();
    const mark = clientMark(TEST_KEYRING, id, '203.0.113.7');
    expect(mark).toMatch(/^[0-9a-f]{4}$/);
    expect(clientMark(TEST_KEYRING, id, '203.0.113.7')).toBe(mark);
    const others = Array.from({ length: 8 }, () => clientMark(TEST_KEYRING, messageId(), '203.0.113.7'));
    expect(new Set([mark, ...others]).size).toBeGreaterThan(1);
  });
});
