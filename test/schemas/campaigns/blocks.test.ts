import { describe, expect, it } from '@jest/globals';
import { MAX_BLOCKS } from '../../../domain/campaigns/block';
import { blockFaults, faultSentence, readBlocks } from '../../../schemas/campaigns/blocks';

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
    [{}, 'blocks must be an array'],
    [[{ kind: 'movie' }], 'blocks[0].kind must be one of'],
    [[text, { text: 'x' }], 'blocks[1].kind is required'],
    [[{ kind: 'divider', text: 'x' }], 'blocks[0].text is not allowed'],
    [[{ kind: 'columns', columns: [[text]] }], 'blocks[0].columns must contain at least 2 items'],
    [
      [{ kind: 'columns', columns: [[text], [{ kind: 'columns', columns: [[], []] }]] }],
      'blocks[0].columns[1][0].kind must be',
    ],
    [Array.from({ length: MAX_BLOCKS + 1 }, () => text), `blocks has more than ${MAX_BLOCKS} blocks`],
  ])('%j are refused', (given, message) => {
    expect(() => readBlocks(given)).toThrow(message);
    expect(() => readBlocks(given)).toThrow(RangeError);
  });

  it.each<[object, string]>([
    [{ kind: 'text' }, 'Text (block 2): add the text'],
    [{ kind: 'heading', text: '' }, 'Heading (block 2): add the text'],
    [{ kind: 'button', label: 'x', url: 'javascript:alert(1)' }, 'Button (block 2): correct the link'],
    [{ kind: 'button', label: 'x', url: 'https://a.test', color: 'red' }, 'Button (block 2): correct the colour'],
    [{ kind: 'image', url: 'data:image/png;base64,AA', alt: '' }, 'Image (block 2): correct the link'],
    [{ kind: 'image', url: 'https://a.test/a.png' }, 'Image (block 2): add the alt text'],
    [{ kind: 'button', label: 'x'.repeat(300), url: 'https://a.test' }, 'Button (block 2): shorten the label'],
    [
      { kind: 'columns', columns: [[text], [text, { kind: 'button', label: 'x' }]] },
      'Button (column 2 of block 2): add the link',
    ],
  ])('of a draft are read whatever they lack, which is said in words: %j', (given, sentence) => {
    const read = readBlocks([text, given]);
    expect(read).toEqual([text, given]);
    expect(blockFaults(read).map(faultSentence).map(String)).toEqual([sentence]);
  });
});
