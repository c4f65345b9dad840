import { expect, it } from '@jest/globals';
import { count, day, fileSize, filledHtml, percent, rupiah, time } from '../../../dashboard/kit/components';
import { textsOf } from '../../../dashboard/texts/texts';
import { describeInBrowser, signedIn } from '../browser';
import { dashboarded } from '../visitor';

const AT = '2026-11-29T06:51:36.000000Z';
const [EN, ID] = [textsOf('en'), textsOf('id')];

it('a time is written in UTC, in the language of the page, and exact on hover', () => {
  const exact = '2026-11-29T06:51:36.000Z';
  const element = (text: string): string => `<time datetime="${exact}" title="${exact}">${text}</time>`;
  expect(time(EN, AT).text).toBe(element('29 Nov 2026, 06:51 UTC'));
  expect(time(ID, Date.parse(AT)).text).toBe(element('29 Nov 2026, 06.51 UTC'));
  expect(time(EN, null).text).toBe('–');
  expect([day(EN, '2026-12-01'), day(ID, '2026-12-01')]).toEqual(['1 Dec 2026', '1 Des 2026']);
});

it('numbers, shares, amounts and sizes are written in the language of the page', () => {
  expect([count(1234, 'en'), count(1234, 'id')]).toEqual(['1,234', '1.234']);
  expect([percent(1, 8, 'en'), percent(1, 8, 'id'), percent(0, 0, 'id')]).toEqual(['12.5%', '12,5%', '–']);
  expect([rupiah(250_000, 'en'), rupiah(250_000, 'id')]).toEqual(['Rp\u00a0250,000', 'Rp\u00a0250.000']);
  const sizes = [0, 999, 1_500, 10_000_000, 123_456_789_012, 5e15].map((bytes) => fileSize(bytes, 'en'));
  expect(sizes).toEqual(['0 kB', '1 kB', '1.5 kB', '10 MB', '123.5 GB', '5,000 TB']);
  expect(fileSize(1_500_000, 'id')).toBe('1,5 MB');
});

it('a sentence has its time as an element, and everything else escaped', () => {
  const strange = filledHtml('{text} Since {time}.', { text: 'a\0constructor\0b\0', time: time(EN, AT) }).text;
  expect(strange).toBe(`aconstructorb Since ${time(EN, AT).text}.`);
  const said = filledHtml('{text} Since {time}.', { text: '<b> {time}', time: time(EN, AT) }).text;
  expect(said).toBe(`&lt;b&gt; {time} Since ${time(EN, AT).text}.`);
});

describeInBrowser('times in a browser', (open) => {
  const subject = dashboarded();

  it('are in the zone of the reader, also where a part of the page comes later, and in UTC without script', async () => {
    const viewer = await subject.person('viewer@toko.example', { 1: 'viewer' });
    const session = viewer.cookies.get('kurir_session')!;
    const browser = await open();
    const screen = { width: 1200, colorScheme: 'light' } as const;
    const times = async (timezoneId: string, javaScriptEnabled = true): Promise<string[]> => {
      const more = { timezoneId, javaScriptEnabled };
      const page = await (await signedIn(browser, subject.origin, session, screen, more)).newPage();
      await page.goto(`${subject.origin}/app/w/1/coins`);
      const before = await page.locator('td time').allTextContents();
      if (!javaScriptEnabled) return before;
      // A part of the page that is loaded again.
      const table = await viewer.get('/app/w/1/coins');
      const row = /<td class="time">.*?<\/td>/s.exec(table.html)![0];
      await page.evaluate(`document.querySelector('tbody').innerHTML = ${JSON.stringify(`<tr>${row}</tr>`)}`);
      await page.waitForFunction(`!document.querySelector('td time').textContent.endsWith('UTC')`);
      expect(await page.locator('td time').allTextContents()).toEqual(before.slice(0, 1));
      return before;
    };
    const [entry] = await subject.service.stores.coins.newest(1, 1);
    const said = (timeZone: string): string =>
      new Date(entry!.at).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone });
    try {
      for (const zone of ['Asia/Jakarta', 'America/New_York']) expect(await times(zone)).toEqual([said(zone)]);
      expect(await times('Asia/Jakarta', false)).toEqual([`${said('UTC')} UTC`]);
    } finally {
      await browser.close();
    }
  });
});
