const PARAGRAPH =
  '<p style="margin:0 0 16px;font:16px/1.5 Arial,sans-serif;color:#333">Thank you for your order. We have received your ' +
  'payment and are packing the items now; the courier collects them this afternoon and you will hear from us again.</p>';

const HTML = [
  '<!doctype html><html><head><title>Your order</title></head><body style="margin:0;background:#f4f4f4">',
  '<table width="100%"><tr><td align="center"><table width="600" style="background:#fff"><tr><td style="padding:24px">',
  '<h1 style="font:24px Arial,sans-serif">Your order is on its way</h1>',
  PARAGRAPH,
  '<p><a href="https://shop.example/orders/4711">See your order</a> or <a href="https://shop.example/help">ask us</a>.</p>',
];
const END = '<p><a href="https://shop.example/">shop.example</a></p></td></tr></table></td></tr></table></body></html>';

const HTML_BYTES = 2_048;

function html(): string {
  const parts = [...HTML];
  const size = (): number => parts.join('').length + END.length;
  while (size() + PARAGRAPH.length <= HTML_BYTES) parts.push(PARAGRAPH);
  return parts.join('') + ' '.repeat(HTML_BYTES - size()) + END;
}

/** The mail that every part sends: 2,048 bytes of html with three links, and its text. */
export const SAMPLE = {
  subject: 'Your order is on its way',
  html: html(),
  text: 'Your order is on its way\n\nThank you for your order. We have received your payment and are packing the items now.\n',
};
