import {
  componentName,
  parametersOf,
  type OpenApiDocument,
  type OperationEntry,
  type Parameter,
} from '../openapi-document.js';

/** A language of the examples. */
export type Language = 'curl' | 'javascript' | 'python';

export const LANGUAGES: Record<Language, string> = {
  curl: 'cURL',
  javascript: 'JavaScript',
  python: 'Python',
};

type Credentials = 'token' | 'client' | 'none';

interface Call {
  method: string;
  url: string;
  credentials: Credentials;
  body: Record<string, unknown> | null;
  /** True if the response is JSON. */
  json: boolean;
}

/** Programs that call the operation, with the examples of its required parameters. */
export function codeExamples(
  document: OpenApiDocument,
  entry: OperationEntry,
): Record<Language, string> {
  const call = callOf(document, entry);
  return { curl: curl(call), javascript: javascript(call), python: python(call) };
}

/** Returns an example body: the required properties, or else the first one. */
export function exampleBody(
  document: OpenApiDocument,
  { operation }: OperationEntry,
): Record<string, unknown> | null {
  const media = operation.requestBody?.content['application/json'];
  if (media?.example == null || media.schema.$ref === undefined) return null;
  const { required = [] } =
    document.components.schemas[componentName({ $ref: media.schema.$ref })] ?? {};
  const all = Object.entries(media.example);
  const needed = all.filter(([name]) => required.includes(name));
  return Object.fromEntries(needed.length > 0 ? needed : all.slice(0, 1));
}

function callOf(document: OpenApiDocument, entry: OperationEntry): Call {
  const { method, path, operation } = entry;
  const parameters = parametersOf(document, operation);
  const [success] = Object.entries(operation.responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([, response]) => ('content' in response ? response.content : undefined));
  return {
    method: method.toUpperCase(),
    url: `${document.servers[0]?.url ?? ''}${filledPath(path, parameters)}${query(parameters)}`,
    credentials: credentialsOf(entry),
    body: exampleBody(document, entry),
    json: success?.['application/json'] !== undefined,
  };
}

function credentialsOf({ operation: { security } }: OperationEntry): Credentials {
  if (security.some((scheme) => 'clientSecret' in scheme)) return 'client';
  return security.length > 0 ? 'token' : 'none';
}

function filledPath(path: string, parameters: Parameter[]): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const example = parameters.find((each) => each.in === 'path' && each.name === name)?.example;
    return encodeURIComponent(String(example));
  });
}

function query(parameters: Parameter[]): string {
  const required = parameters.filter((each) => each.in === 'query' && each.required === true);
  const pairs = required.map(({ name, example }) => {
    const values = Array.isArray(example) ? example : [example];
    return values.map((value) => `${name}=${encodeURIComponent(String(value))}`).join('&');
  });
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

function curl({ method, url, credentials, body }: Call): string {
  const request = method === 'GET' || (method === 'POST' && body !== null) ? '' : `-X ${method} `;
  const lines = [`curl ${request}"${url}"`];
  if (credentials === 'token') lines.push('-H "PRIVATE-TOKEN: $TOKEN"');
  if (credentials === 'client') lines.push('-u "$CLIENT_ID:$CLIENT_SECRET"');
  if (body !== null) lines.push(`--json ${shellQuoted(JSON.stringify(body))}`);
  return lines.join(' \\\n  ');
}

/** Quotes text for a POSIX shell. */
function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function javascript({ method, url, credentials, body, json }: Call): string {
  const headers = [
    ...(credentials === 'token' ? [`'PRIVATE-TOKEN': token`] : []),
    ...(credentials === 'client' ? ['Authorization: `Basic ${btoa(`${id}:${secret}`)}`'] : []),
    ...(body === null ? [] : [`'Content-Type': 'application/json'`]),
  ];
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(headers.length === 0 ? [] : [`  headers: { ${headers.join(', ')} },`]),
    ...(body === null
      ? []
      : [`  body: JSON.stringify(${indented(JSON.stringify(body, null, 2))}),`]),
  ];
  const given = options.length === 0 ? '' : `, {\n${options.join('\n')}\n}`;
  return `const response = await fetch('${url}'${given});\n${
    json ? 'console.log(await response.json());' : 'console.log(response.status);'
  }`;
}

function python({ method, url, credentials, body, json }: Call): string {
  const options = [
    `    "${url}",`,
    ...(credentials === 'token' ? ['    headers={"PRIVATE-TOKEN": token},'] : []),
    ...(credentials === 'client' ? ['    auth=(client_id, client_secret),'] : []),
    ...(body === null ? [] : [`    json=${indented(pythonLiteral(body), '    ')},`]),
  ];
  return [
    'import requests',
    '',
    `response = requests.${method.toLowerCase()}(`,
    ...options,
    ')',
    json ? 'print(response.json())' : 'print(response.status_code)',
  ].join('\n');
}

/** JSON is Python but for three words, which cannot stand in keys of ours. */
function pythonLiteral(value: unknown): string {
  return JSON.stringify(value, null, 4).replace(
    /"(?:[^"\\]|\\.)*"|true|false|null/g,
    (token) => ({ true: 'True', false: 'False', null: 'None' })[token] ?? token,
  );
}

function indented(text: string, by = '  '): string {
  return text.replaceAll('\n', `\n${by}`);
}
