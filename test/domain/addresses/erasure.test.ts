import { describe, expect, it, test } from '@jest/globals';
import { ERASED, erasedFields, erasedMetadata, erasureOf } from '../../../domain/addresses/erasure';
import { HOSTILE_TEXTS } from './hostile-texts';

const sari = erasureOf({ email: 'sari.dewi@contoh.test', name: 'Sari Dewi' });

describe('an address that is taken out', () => {
  it.each([
    ['Halo sari.dewi@contoh.test!', `Halo ${ERASED}!`],
    ['SARI.DEWI@Contoh.Test', ERASED],
    ['https://x.test/?e=sari.dewi%40contoh.test&f=1', `https://x.test/?e=${ERASED}&f=1`],
    ['?e=%73ari%2Edewi%2540contoh%2etest', `?e=${ERASED}`],
    ['sari.dewi=40contoh.test, sari.dewi&#64;contoh.test', `${ERASED}, ${ERASED}`],
    ['<a href="mailto:sari.dewi@contoh.test">', `<a href="mailto:${ERASED}">`],
    ['sari.dewi@contoh.test,sari.dewi@contoh.test', `${ERASED},${ERASED}`],
  ])('stands in no case and encoding any more: %s', (text, erased) => {
    expect(sari.address(text)).toBe(erased);
  });

  it.each(['sariXdewi@contoh.test', 'sari.dewi@contoh.tes', 'sari.dewi contoh.test', 'Sari Dewi'])(
    'leaves other texts alone: %s',
    (text) => {
      expect(sari.address(text)).toBe(text);
    },
  );

  it('is never read as a pattern', () => {
    const odd = erasureOf({ email: "a+b.*|^$o'{1}@contoh.test", name: '(.*) [x] $& \\' });
    expect(odd.person("x a+b.*|^$o'{1}@contoh.test y")).toBe(`x ${ERASED} y`);
    expect(odd.person('aab@contoh.test anything')).toBe('aab@contoh.test anything');
    expect(odd.person('Halo (.*) [x]  $& \\!')).toBe(`Halo ${ERASED}!`);
  });

  it('of an internationalised domain goes as ASCII and as people read it', () => {
    const { address } = erasureOf({ email: 'sari@xn--bcher-kva.example', name: null });
    expect(address('sari@bücher.example sari@XN--bcher-kva.example sari%40b%C3%BCcher.example')).toBe(
      `${ERASED} ${ERASED} ${ERASED}`,
    );
  });
});

describe('a name that is taken out', () => {
  it.each([
    ['Halo Sari Dewi, apa kabar', `Halo ${ERASED}, apa kabar`],
    ['HALO SARI  DEWI', `HALO ${ERASED}`],
    ['sari\ndewi', ERASED],
    ['Sari Dewi <sari.dewi@contoh.test>', `${ERASED} <${ERASED}>`],
    ['Sari', 'Sari'],
    ['Kartika Sari Dewinta', 'Kartika Sari Dewinta'],
    ['Mansari Dewi', 'Mansari Dewi'],
  ])('goes as a whole, as words of their own: %s', (text, erased) => {
    expect(sari.person(text)).toBe(erased);
  });

  it.each([null, '', '  ', 'S', '🌸'])('is left where it is none, or a single character: %j', (name) => {
    const { person } = erasureOf({ email: 'sari@contoh.test', name });
    expect(person('S 🌸 Sari  sari@contoh.test')).toBe(`S 🌸 Sari  ${ERASED}`);
  });
});

describe('the facts of a message', () => {
  const facts = {
    to: 'sari.dewi@contoh.test',
    toText: 'Sari.Dewi@contoh.test',
    subject: 'Untuk Sari Dewi',
    fromEmail: 'sari.dewi@contoh.test',
    fromName: 'Sari Dewi di toko',
    replyTo: 'sari.dewi@contoh.test',
    metadata: { order: 7, paid: true, note: null, 'who-1': 'SARI.DEWI@contoh.test' },
    thread: { messageId: '<1@toko.test>', inReplyTo: ['<sari.dewi=contoh.test@x.test>'], references: [] },
  };

  // spec: docs/contract.md#delete-a-contact: DELETE /contacts/{id}: message history is anonymized
  it('lose the person and nothing else', () => {
    expect(erasedFields({ ...facts, attempt: 3 }, sari)).toEqual({
      to: null,
      toText: null,
      subject: `Untuk ${ERASED}`,
      fromEmail: ERASED,
      fromName: `${ERASED} di toko`,
      replyTo: ERASED,
      metadata: { order: 7, paid: true, note: null, 'who-1': ERASED },
      thread: null,
      attempt: 3,
    });
    expect(erasedFields({ ...facts, replyTo: null, metadata: null }, sari)).toMatchObject({
      replyTo: null,
      metadata: null,
    });
  });

  it('keep the keys of the metadata, which can hold no address, also one named __proto__', () => {
    const erased = erasedMetadata({ ['__proto__']: 'Sari Dewi', 'Sari-Dewi': 'x' }, sari);
    expect(Object.entries(erased)).toEqual([
      ['__proto__', ERASED],
      ['Sari-Dewi', 'x'],
    ]);
  });

  it('are the same when they are erased again', () => {
    const once = erasedFields(facts, sari);
    expect(erasedFields(once, sari)).toEqual(once);
  });
});

test.each(HOSTILE_TEXTS)('a million characters take no time: %s', (_, text) => {
  expect(sari.person(`${text} Sari Dewi <sari.dewi@contoh.test>`)).toBe(`${text} ${ERASED} <${ERASED}>`);
});
