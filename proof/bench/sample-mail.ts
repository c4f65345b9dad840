const PARAGRAPH =
  '<p style="margin:0 0 16px;font:16px/1.5 Arial,sans-serif;color:#333">Thank you for your order. We have received your ' +
  'payment and are packing the items now; the courier collects them this afternoon and you will hear from us again.</p>';

const HEAD = [
  '<!doctype html><html><head><title>Your order</title></head><body style="margin:0;background:#f4f4f4">',
  '<table width="100%"><tr><td align="center"><table width="600" style="background:#fff"><tr><td style="padding:24px">',
  '<h1 style="font:24px Arial,sans-serif">Your order is on its way</h1>',
];
const LINKS =
  '<p><a href="https://shop.example/orders/4711">See your order</a> or <a href="https://shop.example/help">ask us</a>.</p>';
const END = '<p><a href="https://shop.example/">shop.example</a></p></td></tr></table></td></tr></table></body></html>';

const itemLink = (n: number): string =>
  `<p><a href="https://shop.example/items/${n}?ref=order-4711">Item ${n} of your order, and what goes with it</a></p>`;

/** Html of exactly so many bytes, with three links and those of `items` items. */
function html(bytes: number, items: number): string {
  const parts = [...HEAD, PARAGRAPH, LINKS, ...Array.from({ length: items }, (_, n) => itemLink(n + 1))];
  const size = (): number => parts.join('').length + END.length;
  while (size() + PARAGRAPH.length <= bytes) parts.push(PARAGRAPH);
  return parts.join('') + ' '.repeat(bytes - size()) + END;
}

const mail = (bytes: number, items: number) => ({
  subject: 'Your order is on its way',
  html: html(bytes, items),
  text: 'Your order is on its way\n\nThank you for your order. We have received your payment and are packing the items now.\n',
});

/** The mails that the parts send, by size: 2,048 bytes of html with three links, and 4,096 bytes with eight. */
export const SAMPLES = { small: mail(2_048, 0), large: mail(4_096, 5) };
export type SampleName = keyof typeof SAMPLES;

/** The mail of all parts that send one size. */
export const SAMPLE = SAMPLES.small;
