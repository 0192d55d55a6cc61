import { ApiError } from '../../../core/errors.js';
import { parseInput } from '../../../core/params/input.decorator.js';
import { filledAddress } from '../../../core/ui/filled-address.js';
import { filledIn } from '../../../core/ui/form-input.decorator.js';
import type { ProjectRow } from '../../../projects/projects.repository.js';
import { alertsPath } from '../alert-paths.js';
import { AlertsPageDto, alertsQuery } from './alerts-query.js';

/**
 * Returns the list's path with the query that a form carried along, rebuilt from its valid parts;
 * null when the form did not come from the list.
 */
export async function listAddressOf(project: ProjectRow, back: string): Promise<string | null> {
  if (back === '') return null;
  const raw = filledIn(Object.fromEntries(new URLSearchParams(back)));
  try {
    const query = alertsQuery(await parseInput(AlertsPageDto, raw));
    return filledAddress(alertsPath(project), { ...query });
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}
