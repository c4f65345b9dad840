import type { Running } from '../support/running';

/** Fills the demo workspace with something for every screen: mails that arrive, bounce and wait, and people. */
export async function fillWorkspace(service: Running): Promise<void> {
  const delivered = await service.send('siti@penerima.example', { subject: 'Pesanan <b>Anda</b> "dikirim"' });
  const bounced = await service.send('hardbounce@penerima.example');
  await service.untilStatus(delivered, 'delivered');
  await service.untilStatus(bounced, 'bounced');
  await service.send('nanti@penerima.example', { send_at: new Date(service.clock.now() + 3_600_000).toISOString() });
}
