import { describe, expect, test } from '@jest/globals';
import Joi, { type Schema } from 'joi';
import { jsonSchemaOf, type Components, type Purpose } from '../../../api/openapi/json-schema';
import { eitherOr, unless } from '../../../schemas/rules/alternatives';
import { inJsonSchema } from '../../../schemas/rules/json-schema';
import { closed, named } from '../../../schemas/responses/closed';
import { text } from '../../../schemas/rules/text';

const convert = (schema: Schema, purpose: Purpose = 'answer', components: Components = new Map()) =>
  jsonSchemaOf(schema, purpose, components);

describe('A Joi schema as JSON Schema', () => {
  test.each<[string, Schema, object]>([
    ['text', Joi.string().min(1).max(5), { type: 'string', minLength: 1, maxLength: 5 }],
    ['text of one length', Joi.string().length(40), { type: 'string', minLength: 40, maxLength: 40 }],
    ['a pattern', Joi.string().pattern(/^a\/b$/i), { type: 'string', pattern: '^a\\/b$' }],
    ['a UUID', Joi.string().guid(), { type: 'string', format: 'uuid' }],
    ['an integer', Joi.number().integer().min(0).max(9), { type: 'integer', minimum: 0, maximum: 9 }],
    ['a number or null', Joi.number().allow(null), { type: ['number', 'null'] }],
    ['one of some', Joi.valid('a', 'b'), { type: 'string', enum: ['a', 'b'] }],
    ['one of some or null', Joi.valid('a', 'b', null), { type: ['string', 'null'], enum: ['a', 'b', null] }],
    ['the only one', Joi.valid('a'), { type: 'string', const: 'a' }],
    [
      'a list',
      Joi.array().items(Joi.boolean()).min(1).max(3),
      { type: 'array', items: { type: 'boolean' }, minItems: 1, maxItems: 3 },
    ],
    [
      'a map',
      Joi.object().pattern(Joi.string(), Joi.number()),
      { type: 'object', additionalProperties: { type: 'number' } },
    ],
    [
      'either',
      Joi.alternatives().try(Joi.string(), Joi.boolean()),
      { anyOf: [{ type: 'string' }, { type: 'boolean' }] },
    ],
    ['a description', Joi.boolean().description('Why.'), { type: 'boolean', description: 'Why.' }],
    [
      'code that tells what it holds',
      Joi.any()
        .custom((v: unknown) => v)
        .meta(inJsonSchema({ type: 'integer' })),
      { type: 'integer' },
    ],
  ])('%s', (_name, schema, expected) => {
    expect(convert(schema)).toEqual(expected);
  });

  test('an answer has all its fields, and may gain others', () => {
    expect(convert(closed({ a: Joi.string(), b: closed({ c: Joi.boolean() }).optional() }))).toEqual({
      type: 'object',
      required: ['a'],
      properties: {
        a: { type: 'string' },
        b: { type: 'object', required: ['c'], properties: { c: { type: 'boolean' } } },
      },
    });
  });

  test('a body may have null for what is optional, unknown fields, and one of several', () => {
    const schema = Joi.object({ a: Joi.string().required(), b: Joi.number(), c: Joi.string().valid('x') }).or('b', 'c');
    expect(convert(schema, 'body')).toEqual({
      type: 'object',
      required: ['a'],
      properties: {
        a: { type: 'string' },
        b: { type: ['number', 'null'] },
        c: { anyOf: [{ type: 'string', const: 'x' }, { type: 'null' }] },
      },
      anyOf: [{ required: ['b'] }, { required: ['c'] }],
    });
  });

  test('a request may leave what is optional empty: no minimum length, and a pattern allows nothing', () => {
    const schema = Joi.object({ a: text(5).required(), b: text(5), c: Joi.string().pattern(/^x/) });
    expect(convert(schema, 'query')).toMatchObject({
      properties: {
        a: { type: 'string', minLength: 1, maxLength: 5, pattern: '\\S' },
        b: { type: 'string', maxLength: 5 },
        c: { type: 'string', pattern: '^$|^x' },
      },
    });
    expect(Object.keys((convert(schema, 'query')['properties'] as { b: object }).b)).toEqual(['type', 'maxLength']);
  });

  test('fields that depend on the presence of another make two variants', () => {
    const components: Components = new Map();
    const rules = Joi.object({
      id: Joi.number().integer().min(1),
      email: eitherOr('id', Joi.string()).description('The address.'),
      name: unless('id', Joi.string()),
      note: Joi.string(),
    }).meta({ variants: { present: 'ById', absent: 'ByEmail' } });
    const note = { type: ['string', 'null'] };
    expect(convert(rules, 'body', components)).toEqual({
      oneOf: [{ $ref: '#/components/schemas/ById' }, { $ref: '#/components/schemas/ByEmail' }],
    });
    expect(Object.fromEntries(components)).toMatchObject({
      ById: { required: ['id'], properties: { id: { type: 'integer', minimum: 1 }, email: { type: 'null' }, note } },
      ByEmail: {
        required: ['email'],
        properties: {
          id: { type: 'null' },
          email: { type: 'string', description: 'The address.' },
          name: { type: ['string', 'null'] },
          note,
        },
      },
    });
    expect(Object.keys(components.get('ById')?.['properties'] ?? {})).toEqual(['id', 'email', 'note']);
  });

  test.each<[string, Schema]>([
    ['on a value', Joi.object({ a: Joi.string(), b: Joi.when('a', { is: 'x', then: Joi.string() }) })],
    ['on two fields', Joi.object({ a: Joi.any(), b: Joi.any(), c: unless('a', Joi.any()), d: unless('b', Joi.any()) })],
    ['without names', Joi.object({ a: Joi.string(), b: unless('a', Joi.string()) })],
    [
      'on a field that is not there',
      Joi.object({ b: unless('a', Joi.string()) }).meta({ variants: { present: 'P', absent: 'A' } }),
    ],
  ])('a dependency %s is refused, not lost', (_what, schema) => {
    expect(() => convert(schema, 'body')).toThrow(/depend/);
  });

  test('a named schema is written once and referred to', () => {
    const components: Components = new Map();
    const thing = named('Thing', { a: Joi.boolean() }, 'A thing.');
    const schema = convert(closed({ one: thing, other: thing.allow(null) }), 'answer', components);
    expect(schema['properties']).toEqual({
      one: { $ref: '#/components/schemas/Thing' },
      other: { anyOf: [{ $ref: '#/components/schemas/Thing' }, { type: 'null' }] },
    });
    expect(Object.fromEntries(components)).toEqual({
      Thing: { type: 'object', required: ['a'], properties: { a: { type: 'boolean' } }, description: 'A thing.' },
    });
  });
});
