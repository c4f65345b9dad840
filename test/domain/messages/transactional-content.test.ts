import { describe, expect, test } from '@jest/globals';
import { looksTransactional } from '../../../domain/messages/transactional-content';
import { processorTime } from '../../support/processor-time';

const RESET = 'a password reset';
const CODE = 'a code or a confirmation';
const RECEIPT = 'a receipt';

describe('mail that belongs on a transactional domain', () => {
  // spec: docs/contract.md#warnings-for-content: a reset, a code or a receipt from a marketing domain
  test.each([
    [RESET, 'Reset your password'],
    [RESET, 'Password reset request'],
    [RESET, '[Melati] Forgot your password?'],
    [RESET, 'Atur ulang kata sandi Anda'],
    [RESET, 'Lupa kata sandi? Ini tautannya'],
    [RESET, 'Permintaan reset password akun Toko Melati'],
    [CODE, 'Your verification code'],
    [CODE, '123456 is your one-time password'],
    [CODE, 'Kode OTP Anda: 482 913'],
    [CODE, 'Kode verifikasi masuk'],
    [CODE, 'Verify your email address'],
    [CODE, 'Konfirmasi akun Anda'],
    [RECEIPT, 'Receipt'],
    [RECEIPT, 'Your receipt from Toko Melati'],
    [RECEIPT, 'Invoice INV-2026-0917'],
    [RECEIPT, 'Invoice #917 from Toko Melati'],
    [RECEIPT, 'Struk Anda'],
    [RECEIPT, 'Struk belanja 23 November'],
    [RECEIPT, 'Faktur {{bisnis}}'],
    [RECEIPT, 'Kuitansi pembayaran'],
    [RECEIPT, 'Bukti pembayaran pesanan 1042'],
    [RECEIPT, 'Pembayaran Anda diterima'],
    [RECEIPT, 'Pesanan Anda sedang dikirim'],
    [RECEIPT, 'Your order #1042 has shipped'],
  ])('%s by its subject: %s', (kind, subject) => {
    expect(looksTransactional(subject, '<p>Halo</p>')).toBe(kind);
  });

  test.each([
    [RESET, '<p>Click here to <a href="https://x.example">reset\n your password</a>.</p>'],
    [RESET, '<p>Klik tautan ini untuk atur ulang kata sandi.</p>'],
    [CODE, '<p>Your verification code is <b>482913</b>.</p>'],
    [CODE, '<p>Kode OTP Anda: <strong>482-913</strong></p>'],
    [RECEIPT, '<h1>Terima kasih</h1><p>Invoice No: INV/2026/0917</p>'],
    [RECEIPT, '<p>Nomor kami. Faktur #917</p>'],
  ])('%s by its content: %s', (kind, html) => {
    expect(looksTransactional('Halo', `<head><style>${'p{}'.repeat(3_000)}</style></head><body>${html}`)).toBe(kind);
  });

  // spec: docs/contract.md#warnings-for-content: advertisements get no warning
  test.each([
    'Promo akhir tahun: kode promo MELATI20',
    'Kode voucher 50% untuk Anda',
    'Use code SAVE20 at checkout',
    'Diskon untuk pesanan Anda berikutnya',
    'Get 20% off your order today',
    'Reset your mind this weekend',
    'How to write an invoice that gets paid',
    'Five invoice templates for your shop',
    'Keamanan akun: jangan bagikan data Anda',
    'Kata sandi yang kuat: lima tips',
    'Notable new arrivals',
    'Newsletter November 2026',
  ])('an advertisement is none: %s', (subject) => {
    const html = `<p>${subject}. Forgot something? Our invoices and codes: 2026, 50% off, kode promo 123456.</p>`;
    expect(looksTransactional(subject, html)).toBeNull();
  });

  test('only the beginning of the content counts, and hostile content takes no time', async () => {
    expect(looksTransactional('Halo', `${'x'.repeat(2_000)} reset your password`)).toBeNull();
    for (const hostile of ['otp ', 'invoice no ', 'reset your ', 'kode  ', '\n']) {
      const content = hostile.repeat(100_000);
      expect(await processorTime(() => looksTransactional(hostile.repeat(60), content))).toBeLessThan(1_000);
    }
  });
});
