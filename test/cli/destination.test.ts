import { describe, expect, it } from '@jest/globals';
import { TestOperator } from '../support/test-operator';

const operator = TestOperator.ofFile();

describe('kurir destination resume', () => {
  it.each([
    ['GOOGLE', 2, '<destination> must be a name from kurir destination list, in lower case, or a domain'],
    ['google', 1, 'google is neither slowed nor stopped'],
  ])('says what is wrong with %s, and of which argument', async (name, code, text) => {
    const answer = await operator.run(['destination', 'resume', name, '--json']);
    expect(answer.code).toBe(code);
    const { error } = JSON.parse(answer.out || answer.err) as { error: { argument: string; message: string } };
    expect(error.argument).toBe('<destination>');
    expect(error.message).toContain(text);
  });
});
