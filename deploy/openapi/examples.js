/** @typedef {import('./schemas.js').Schema} Schema */

const HOST = 'https://guildhall.example.com';

/** Examples by name, tried in order, used where the type allows them. @type {[RegExp, unknown][]} */
const BY_NAME = [
  [/^(id|iid)$/, 1],
  [/_id$|_ids$|^ids$/, 42],
  [/^access_level$|_access_level$/, 30],
  [/^per_page$/, 20],
  [/count$|^total$|attempts?$|^level$/, 3],
  [/weight$/, 100],
  [/bytes|_size$/, 1_048_576],
  [/seconds$|_period/, 60],
  [/_at$|_after$|_before$|_since$|_on$/, '2026-01-15T09:30:00.000Z'],
  [/^email$|_email$/, 'mallory@guildhall.example.com'],
  [/^username$|^author_username$/, 'mallory'],
  [/avatar_url$/, `${HOST}/avatar.png`],
  [/^ssh_url_to_repo$/, 'git@guildhall.example.com:tools/builders/lathe.git'],
  [/^http_url_to_repo$/, `${HOST}/tools/builders/lathe.git`],
  [/url$|^self$|_links?$/, `${HOST}/tools/builders/lathe`],
  [/^name_with_namespace$/, 'Tools / Builders / Lathe'],
  [/^path_with_namespace$|^full_path$/, 'tools/builders/lathe'],
  [/^full_name$/, 'Tools / Builders'],
  [/^name$/, 'Lathe'],
  [/^path$/, 'lathe'],
  [/^namespace$/, 'tools/builders'],
  [/^title$/, 'Cutting plan'],
  [/^description$/, 'Plans of the new lathe'],
  [/file_name$|file_path$/, 'plan.md'],
  [/^previous_path$/, 'old-plan.md'],
  [/^content$/, 'Hello'],
  [/^ref$|branch$/, 'main'],
  [/storage(_name)?$/, 'default'],
  [/^ip(_address)?$|_ips?$/, '203.0.113.7'],
  [/^checksum$/, '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b'],
  [/sha$|^commit$/, '6104942438c14ec7bd21c6cd5bd995272b3faff6'],
  [/^version$/, '0.1.0'],
  [/^revision$/, 'Unknown'],
  [/^message$/, 'text for people'],
  [/^error$/, 'what is wrong'],
  [/^password$/, 'correct horse battery staple'],
  [/token$/, '<token>'],
  [/_secret$/, '<secret>'],
  [/cursor$/, 'eyJpZCI6IjQyIn0'],
  [/search$|^query$/, 'lathe'],
  [/^(topic|tag_list)(\[\])?$/, 'woodwork'],
  [/language$/, 'TypeScript'],
  [/^bio$/, 'Turns wood and writes about it'],
  [/^location$/, 'Copenhagen'],
  [/^organization$/, 'Tools Ltd'],
  [/^job_title$/, 'Carpenter'],
  [/^pronouns$/, 'they/them'],
  [/^note$/, 'On leave until March'],
  [/^protected_path$/, '/users/sign_in'],
  [/_key$/, '<key>'],
  [/^provider$/, 'ldapmain'],
  [/^extern_uid$/, 'user-4711'],
  [/storages_weighted$/, { default: 100 }],
];

const BY_FORMAT = {
  date: '2026-12-31',
  'date-time': '2026-01-15T09:30:00.000Z',
  uri: `${HOST}/tools/builders/lathe`,
  email: 'mallory@guildhall.example.com',
};

/**
 * A value that the schema allows: its own example, else one that fits the name and type.
 * @param {Schema} schema
 * @param {string} name
 * @param {Record<string, Schema>} components for references; without them there must be none
 * @returns {unknown}
 */
export function exampleOf(schema, name, components = {}) {
  if (schema.examples) return schema.examples[0];
  if (schema.$ref) return exampleOfReference(schema.$ref, name, components);
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return exampleOf(options[0], name, components);
  if (schema.enum) return schema.enum[0];
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === 'array') return [exampleOf(schema.items ?? {}, name.replace(/s$/, ''), components)];
  if (type === 'object') return byName(name, 'object') ?? exampleOfObject(schema, components);
  if (type === 'boolean') return false;
  if (type === 'integer' || type === 'number') return exampleOfNumber(schema, name);
  return type === 'string' ? exampleOfText(schema, name) : null;
}

/**
 * @param {string} reference
 * @param {string} name
 * @param {Record<string, Schema>} components
 */
function exampleOfReference(reference, name, components) {
  const key = reference.split('/').pop() ?? '';
  const schema = components[key];
  if (!schema) throw new Error(`no component ${reference}`);
  // A type that contains itself ends at its second appearance.
  return exampleOf(schema, name, { ...components, [key]: { type: 'object' } });
}

/**
 * @param {Schema} schema
 * @param {Record<string, Schema>} components
 */
function exampleOfObject({ properties = {}, additionalProperties }, components) {
  const entries = Object.entries(properties).map(([name, each]) => [
    name,
    exampleOf(each, name, components),
  ]);
  if (entries.length === 0 && additionalProperties) {
    return { name: exampleOf(additionalProperties, 'name', components) };
  }
  return Object.fromEntries(entries);
}

/**
 * @param {Schema} schema
 * @param {string} name
 */
function exampleOfNumber({ minimum = 0, maximum = Infinity }, name) {
  const known = byName(name, 'number');
  return Math.min(maximum, Math.max(minimum, typeof known === 'number' ? known : 1));
}

/**
 * @param {Schema} schema
 * @param {string} name
 */
function exampleOfText({ format, maxLength = Infinity, pattern }, name) {
  const known = byName(name, 'string');
  if (format === 'date' || format === 'date-time' || format === 'uri' || format === 'email') {
    const fits = format === 'uri' && typeof known === 'string' && known.startsWith('https:');
    return fits ? known : BY_FORMAT[/** @type {keyof typeof BY_FORMAT} */ (format)];
  }
  // A file fits into a multipart body only; the empty text, which removes one, into any.
  if (format === 'binary') return '';
  if (pattern !== undefined) throw new Error(`${name} has a pattern and needs an @example`);
  return String(known ?? 'text').slice(0, maxLength);
}

/**
 * @param {string} name
 * @param {'number' | 'string' | 'object'} type
 */
function byName(name, type) {
  return BY_NAME.find(([pattern, value]) => typeof value === type && pattern.test(name))?.[1];
}
