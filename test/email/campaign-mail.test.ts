import { describe, expect, it } from '@jest/globals';
import { composeInput, LINKS } from './support/compose-input';
import { composeAndRead } from './support/read-mail';
import type { ComposeInput } from '../../email/compose';

const CAMPAIGN = {
  message: { campaignId: 42, channel: 'app' as const },
  links: { ...LINKS, browser: 'https://t.kurir.test/m/1' },
};
const read = (html: string, change: Partial<Omit<ComposeInput, 'message'>> = {}) =>
  composeAndRead(composeInput({ ...CAMPAIGN, ...change, body: { html, text: null } }));
const HIDDEN = /<div style="display:none;[^"]*">([^&<]*)(?:&#847;&zwnj;&nbsp;)+<\/div>/;
const hiddenIn = (html: string): string | null => HIDDEN.exec(html)?.[1] ?? null;

describe('the preheader of a campaign', () => {
  const preheader = 'Hanya hari ini, {{nama_depan}}';

  // spec: docs/contract.md#preheader: hidden text at the start of the html
  it.each([
    ['<p>Halo</p>', '<p>Halo'],
    ['<html><body class="x">\n<p>Halo</p></body></html>', '\n<p>Halo'],
    ['<!doctype html><head><title>x</title><style>p{}</style></head><p>Halo</p>', '<p>Halo'],
    ['<!doctype html>\nHalo<p>x</p>', '\nHalo'],
    ['<!-- <body> --><body><p>Halo</p><body>', '<p>Halo'],
    ['<template><body></template><p>Halo</p>', '<p>Halo'],
  ])('is hidden text before what is shown of %s', async (html, next) => {
    const mail = await read(html, { preheader });
    expect(hiddenIn(mail.html)).toBe('Hanya hari ini, Budi');
    expect(mail.html.replace(HIDDEN, '|')).toContain(`|${next}`);
  });

  // spec: docs/contract.md#preheader: shown by its tag instead
  it('is not hidden text when the html has its tag, and there is none without a preheader', async () => {
    const shown = await read('<p>{{preheader}}</p>', { preheader });
    expect([shown.html.includes('<p>Hanya hari ini, Budi</p>'), hiddenIn(shown.html)]).toEqual([true, null]);
    expect(hiddenIn((await read('<p>Halo</p>')).html)).toBeNull();
    expect(hiddenIn((await read('<p>Halo</p>', { preheader: '{{preheader}} ' })).html)).toBeNull();
  });

  it('is escaped in html and left out of the text', async () => {
    const mail = await read('<p>Halo</p>', { preheader: '<b>"50%" & lagi' });
    expect(mail.html).toContain('&lt;b&gt;&quot;50%&quot; &amp; lagi');
    expect(mail.text).toMatch(/^Halo\n/);
    expect(mail.text).not.toContain('50%');
  });
});

describe('the link to the page of a mail', () => {
  it('is filled in where its tags are, and not tracked', async () => {
    const mail = await read('<a href="{{link_browser}}">x</a><a href="{{versi_web}}?a=1">y</a><p>{{versi_web}}</p>');
    expect(mail.html).toContain('<a href="https://t.kurir.test/m/1">x</a><a href="https://t.kurir.test/m/1?a=1">y</a>');
    expect(mail.html).toContain('<p>https://t.kurir.test/m/1</p>');
    expect(mail.destinations).toEqual([]);
  });
});

describe('a mail without tracking', () => {
  it('has its links as they are written, and no open pixel', async () => {
    const mail = await read('<a href="https://a.test/?x=1&amp;y">x</a><a href="https://b.test/{{email}}">y</a>', {
      links: { ...CAMPAIGN.links, clicks: null, open: null },
      trackConversions: true,
    });
    expect(mail.html).toContain(
      '<a href="https://a.test/?x=1&amp;y">x</a><a href="https://b.test/Budi%40Example.com">y</a>',
    );
    expect(mail.html).not.toContain('<img');
    expect(mail.destinations).toEqual([]);
    expect(mail.html).toContain(`href="${LINKS.unsubscribe}"`);
  });
});
