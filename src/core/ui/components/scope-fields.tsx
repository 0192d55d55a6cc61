import type { VNode } from 'preact';
import { SCOPES, type Scope } from '../../access/scopes.js';
import { CheckboxGroup } from './choice-fields.js';
import { FieldErrors } from './field.js';

const GROUPS: { label: string; scopes: readonly Scope[] }[] = [
  { label: 'API', scopes: ['api', 'read_api'] },
  { label: 'Repositories', scopes: ['read_repository', 'write_repository'] },
  { label: 'User', scopes: ['read_user', 'openid', 'profile', 'email'] },
  { label: 'Token', scopes: ['self_rotate'] },
  { label: 'Administration', scopes: ['sudo', 'admin_mode'] },
];

interface ScopeFieldsProps {
  /** Selectable scopes. */
  scopes: readonly Scope[];
  values: readonly string[];
  hint: string;
  errors: string[] | undefined;
}

/** Scopes by area, each with its description. */
export function ScopeFields({ scopes, values, hint, errors }: ScopeFieldsProps): VNode {
  return (
    <fieldset class="field" id="scopes">
      <legend>Scopes</legend>
      <div class="hint">{hint}</div>
      <FieldErrors id="scopes" errors={errors} />
      <div class="mt-2 grid gap-5 sm:grid-cols-2">
        {GROUPS.map(({ label, scopes: all }) => (
          <ScopeGroup
            key={label}
            label={label}
            scopes={all.filter((scope) => scopes.includes(scope))}
            values={values}
          />
        ))}
      </div>
    </fieldset>
  );
}

function ScopeGroup(props: {
  label: string;
  scopes: readonly Scope[];
  values: readonly string[];
}): VNode | null {
  const { label, scopes, values } = props;
  if (scopes.length === 0) return null;
  return (
    <CheckboxGroup
      name="scopes"
      id={`scopes-${label.toLowerCase()}`}
      label={label}
      options={scopes.map((value) => ({ value, label: value, hint: SCOPES[value] }))}
      values={values}
    />
  );
}
