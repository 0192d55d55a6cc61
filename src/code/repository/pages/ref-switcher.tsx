import type { VNode } from 'preact';
import { Button } from '../../../core/ui/components/button.js';
import { Form } from '../../../core/ui/components/form.js';
import { referenceNames } from '../../../git/reading/references.js';
import type { OpenRepository } from '../../../git/reading/repository-reader.service.js';
import { BRANCH_PREFIX, TAG_PREFIX } from '../../../git/reference-name.js';

/** Names to choose from; those of long lists are found on their own pages. */
export interface RefChoices {
  branches: string[];
  tags: string[];
  /** Total number of branches. */
  branchCount: number;
  tagCount: number;
}

const MAX_NAMES = 100;

/** Reads the names that the switcher offers. */
export async function refChoices(repository: OpenRepository): Promise<RefChoices> {
  const branches = await referenceNames(repository, BRANCH_PREFIX, {});
  const tags = await referenceNames(repository, TAG_PREFIX, { sort: 'name_desc' });
  return {
    branches: branches.slice(0, MAX_NAMES),
    tags: tags.slice(0, MAX_NAMES),
    branchCount: branches.length,
    tagCount: tags.length,
  };
}

interface RefSwitcherProps {
  action: string;
  choices: RefChoices;
  /** Current revision. */
  current: string;
  destination: 'tree' | 'blob' | 'commits';
  path: string;
}

/** Leads to the same place of another branch or tag, at once or, without a script, by a button. */
export function RefSwitcher({ action, choices, ...props }: RefSwitcherProps): VNode {
  const { current, destination, path } = props;
  const isKnown = [...choices.branches, ...choices.tags].includes(current);
  return (
    <Form
      action={action}
      method="get"
      label="Switch branch"
      class="ref-switcher flex items-center gap-2"
    >
      <input type="hidden" name="destination" value={destination} />
      <input type="hidden" name="path" value={path} />
      <select class="control max-w-56" name="ref" aria-label="Branch or tag" autocomplete="off">
        {!isKnown && (
          <option value={current} selected>
            {current}
          </option>
        )}
        <Names label="Branches" names={choices.branches} current={current} />
        <Names label="Tags" names={choices.tags} current={isKnown ? current : ''} />
      </select>
      <noscript>
        <Button variant="outline">Switch</Button>
      </noscript>
    </Form>
  );
}

interface NamesProps {
  label: string;
  names: string[];
  current: string;
}

function Names({ label, names, current }: NamesProps): VNode | null {
  if (names.length === 0) return null;
  return (
    <optgroup label={label}>
      {names.map((name) => (
        <option key={name} value={name} selected={name === current}>
          {name}
        </option>
      ))}
    </optgroup>
  );
}
