import { describe, expect, it } from '@jest/globals';
import { MOST_BLOCKS } from '../../../domain/campaigns/block';
import { readBlocks } from '../../../schemas/campaigns/blocks';

const text = { kind: 'text', text: 'Halo' };

describe('blocks', () => {
  it.each([
    [[{ kind: 'heading', text: 'Halo', align: 'center' }, text, { kind: 'divider' }, { kind: 'footer', text: 'x' }]],
    [[{ kind: 'button', label: 'Beli', url: 'https://a.example', color: '#0B5c4b' }]],
    [[{ kind: 'button', label: 'Beli', url: '{{voucher_url}}' }]],
    [[{ kind: 'image', url: 'https://a.example/a.png', alt: '' }]],
    [[{ kind: 'columns', columns: [[text], []] }]],
  ])('are read: %j', (given) => {
    expect(readBlocks(given)).toEqual(given);
  });

  it.each<[unknown, string]>([
    [[], 'blocks must contain at least 1 items'],
    [{}, 'blocks must be an array'],
    [[{ kind: 'movie' }], 'blocks[0].kind must be one of'],
    [[text, { text: 'x' }], 'blocks[1].kind is required'],
    [[{ kind: 'text' }], 'blocks[0].text is required'],
    [[{ kind: 'divider', text: 'x' }], 'blocks[0].text is not allowed'],
    [[{ kind: 'button', label: 'x', url: 'javascript:alert(1)' }], 'blocks[0].url must be a link that begins with'],
    [
      [{ kind: 'button', label: 'x', url: 'https://a.example', color: 'red' }],
      'blocks[0].color must be a colour such as',
    ],
    [[{ kind: 'image', url: 'data:image/png;base64,AA', alt: '' }], 'blocks[0].url must be an address that begins'],
    [[{ kind: 'image', url: 'https://a.example/a.png' }], 'blocks[0].alt is required'],
    [[{ kind: 'columns', columns: [[text]] }], 'blocks[0].columns must contain at least 2 items'],
    [
      [{ kind: 'columns', columns: [[text], [{ kind: 'columns', columns: [[], []] }]] }],
      'blocks[0].columns[1][0].kind must be',
    ],
    [Array.from({ length: MOST_BLOCKS + 1 }, () => text), `blocks has more than ${MOST_BLOCKS} blocks`],
  ])('%j are refused', (given, message) => {
    expect(() => readBlocks(given)).toThrow(message);
    expect(() => readBlocks(given)).toThrow(RangeError);
  });
});
