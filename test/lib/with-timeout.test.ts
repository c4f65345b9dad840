import { stat } from 'node:fs';
import { describe, expect, it, jest } from '@jest/globals';
import { UnavailableError } from '../../lib/errors';
import { sleep } from '../../lib/sleep';
import { withTimeout } from '../../lib/with-timeout';

const never = new Promise<never>(() => {});

describe('withTimeout', () => {
  it('answers what the work answers, or rejects as it does', async () => {
    await expect(withTimeout(Promise.resolve(7), 1_000)).resolves.toBe(7);
    await expect(withTimeout(Promise.reject(new Error('no')), 1_000)).rejects.toThrow('no');
  });

  it('rejects when time is up, naming what took so long', async () => {
    await expect(withTimeout(never, 5)).rejects.toThrow('no answer within 5 ms');
    await expect(withTimeout(never, 5, { what: 'publishing' })).rejects.toThrow('publishing took longer than 5 ms');
  });

  it('rejects with the error it is given, and says first that it is late', async () => {
    const onLate = jest.fn();
    const error = (text: string): Error => new UnavailableError(text);
    const late = withTimeout(never, 5, { what: 'the write', error, onLate });
    await expect(late).rejects.toBeInstanceOf(UnavailableError);
    await expect(late).rejects.toThrow('the write took longer than 5 ms');
    expect(onLate).toHaveBeenCalledTimes(1);
  });

  it('counts an answer that arrived while the process was busy', async () => {
    const onLate = jest.fn();
    const answer = new Promise<string>((resolve) => stat(__filename, () => resolve('here')));
    const limited = withTimeout(answer, 5, { onLate });
    const end = performance.now() + 20;
    while (performance.now() < end);
    await expect(limited).resolves.toBe('here');
    await sleep(5);
    expect(onLate).not.toHaveBeenCalled();
  });

  it('does not mind what the work does afterwards', async () => {
    const onLate = jest.fn();
    const failing = sleep(15).then(() => Promise.reject(new Error('later')));
    await expect(withTimeout(failing, 1, { onLate })).rejects.toThrow('no answer within 1 ms');
    await sleep(30);
    expect(onLate).toHaveBeenCalledTimes(1);
  });
});
