import type { VNode } from 'preact';
import { ConfirmButton } from '../../../core/ui/components/confirm-button.js';
import { Card } from '../../../core/ui/components/content.js';
import { TextField } from '../../../core/ui/components/text-field.js';

/** Locations that the field suggests; any other can be typed. */
export const SUGGESTED_LOCATIONS = 100;

interface TransferCardProps {
  kind: 'project' | 'group';
  /** Full path, which has to be typed. */
  path: string;
  action: string;
  csrfToken: string;
  /** Full paths of namespaces. */
  suggestions: readonly string[];
}

/** Moves a project or group to another namespace, after a question. */
export function TransferCard(props: TransferCardProps): VNode {
  const { kind, path, action, csrfToken, suggestions } = props;
  const isGroup = kind === 'group';
  return (
    <Card title={`Transfer ${kind}`}>
      <p>
        {isGroup
          ? 'Moves the group with its subgroups and projects to another parent group.'
          : 'Moves the project to another group or user.'}{' '}
        Old addresses redirect to the new ones.
      </p>
      <ConfirmButton
        label={`Transfer ${kind}`}
        title={`Transfer ${kind} ${path}?`}
        question={`Members of the new ${isGroup ? 'parent group' : 'namespace'} get access, and access inherited from the current one ends. Visibility is lowered if necessary.`}
        confirm={`Transfer ${kind}`}
        path={path}
        action={action}
        csrfToken={csrfToken}
      >
        <TextField
          name="location"
          label={isGroup ? 'New parent group' : 'New namespace'}
          hint={isGroup ? 'Leave blank to make it a top-level group.' : undefined}
          list="locations"
          autocomplete="off"
          required={!isGroup}
        />
        <datalist id="locations">
          {suggestions.map((location) => (
            <option key={location} value={location} />
          ))}
        </datalist>
      </ConfirmButton>
    </Card>
  );
}
