/** One switch of the instance: what values it takes and what it is for. */
export type SettingDeclaration = {
  description: string;
  /** Encrypted in the database, never shown. */
  secret?: true;
  /** Of a secret: the setting that holds the address to which it is sent. */
  sentTo?: string;
} & (
  | { type: 'boolean'; default: boolean }
  | { type: 'integer'; default: number; min: number; max: number }
  | { type: 'optional integer'; default: number | null; min: number; max: number }
  | { type: 'text'; default: string; values?: readonly string[] }
  | { type: 'paths'; default: readonly string[] }
  | { type: 'url'; default: string }
  | { type: 'weights'; default: Readonly<Record<string, number>> }
);

interface ValueTypes {
  boolean: boolean;
  integer: number;
  'optional integer': number | null;
  text: string;
  paths: readonly string[];
  url: string;
  weights: Readonly<Record<string, number>>;
}

/** The TypeScript type of a declared setting's value. */
export type SettingValue<D extends SettingDeclaration> = D extends {
  values: readonly (infer V)[];
}
  ? V
  : ValueTypes[D['type']];

const integer = (fallback: number, range: [number, number], description: string) =>
  ({ type: 'integer', default: fallback, min: range[0], max: range[1], description }) as const;

const boolean = (fallback: boolean, description: string) =>
  ({ type: 'boolean', default: fallback, description }) as const;

const text = (fallback: string, description: string) =>
  ({ type: 'text', default: fallback, description }) as const;

const choice = <const V extends string>(
  fallback: NoInfer<V>,
  values: readonly V[],
  description: string,
) => ({ type: 'text', default: fallback, values, description }) as const;

const url = (fallback: string, description: string) =>
  ({ type: 'url', default: fallback, description }) as const;

const secret = (sentTo: string, description: string) =>
  ({ type: 'text', default: '', description, secret: true, sentTo }) as const;

/** Short forms for declaring settings. */
export const setting = { boolean, choice, integer, secret, text, url };
