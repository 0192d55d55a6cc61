/** @typedef {import('./schemas.js').Schema} Schema */

/**
 * One schema for any of several: literals of one type become one enum, null a further type.
 * @param {Schema[]} schemas
 * @returns {Schema}
 */
export function unite(schemas) {
  const [first] = schemas;
  if (first && schemas.length === 1) return first;
  const values = schemas.filter((schema) => schema.type !== 'null');
  const isNullable = values.length < schemas.length;
  const merged = inFixedOrder(mergeLiterals(values));
  if (merged.length === 1 && merged[0]) return isNullable ? orNull(merged[0]) : merged[0];
  return { anyOf: isNullable ? [...merged, { type: 'null' }] : merged };
}

/** @param {Schema[]} schemas */
function mergeLiterals(schemas) {
  /** @type {Schema[]} */
  const merged = [];
  for (const schema of schemas) {
    const like = merged.find((each) => each.enum && schema.enum && each.type === schema.type);
    if (like) like.enum = [...like.enum, ...schema.enum];
    else merged.push({ ...schema });
  }
  return merged.map((schema) => {
    const isAnyBoolean = schema.type === 'boolean' && schema.enum?.length === 2;
    return isAnyBoolean ? { type: 'boolean' } : schema;
  });
}

/**
 * The compiler orders unions by what it met first, which any other file can change.
 * @param {Schema[]} schemas
 */
function inFixedOrder(schemas) {
  /** @param {Schema} schema */
  const sorted = (schema) => (schema.enum ? { ...schema, enum: inOrder(schema.enum) } : schema);
  const keyed = schemas.map(sorted).map((schema) => ({ key: JSON.stringify(schema), schema }));
  return keyed.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ schema }) => schema);
}

/** @param {any[]} values */
function inOrder(values) {
  return values.sort((a, b) => (a < b ? -1 : 1));
}

/** @param {Schema} schema */
export function orNull(schema) {
  if (typeof schema.type !== 'string') return { anyOf: [schema, { type: 'null' }] };
  const { type, enum: values, ...rest } = schema;
  return { type: [type, 'null'], ...(values && { enum: [...values, null] }), ...rest };
}
