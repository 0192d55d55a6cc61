import type { VNode } from 'preact';
import { LabelChip } from '../../../core/ui/components/content.js';
import { DEFAULT_COLOR } from '../label.entity.js';
import type { NamedLabel } from '../labels.repository.js';

/** Labels of a project by name (`LabelsRepository.byName`). */
export type LabelsByName = ReadonlyMap<string, NamedLabel>;

interface LabelsProps {
  /** Names on an issue or merge request. */
  names: readonly string[];
  known: LabelsByName;
  /** Address of the list that they filter. */
  list: string;
}

/** The labels of an issue or merge request, each leading to the others that bear it. */
export function Labels({ names, known, list }: LabelsProps): VNode | null {
  if (names.length === 0) return null;
  return (
    <span class="labels">
      {names.map((name) => (
        <LabelChip
          key={name}
          label={known.get(name) ?? { name, color: DEFAULT_COLOR }}
          href={`${list}?${new URLSearchParams({ label: name }).toString()}`}
        />
      ))}
    </span>
  );
}
