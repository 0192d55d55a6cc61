import type { VNode } from 'preact';
import type { ProjectRow } from '../../../workspace/projects/projects.repository.js';
import type { CodeAddresses } from './addresses.js';
import type { Spot } from './code-reading.service.js';

interface PathStepsProps {
  project: Pick<ProjectRow, 'path'>;
  spot: Spot;
  addresses: CodeAddresses;
}

/** The way to a file or folder from the root of its repository; each step above it is a link. */
export function PathSteps({ project, spot, addresses }: PathStepsProps): VNode {
  const { ref, path } = spot;
  const names = path === '' ? [] : path.split('/');
  const steps = [
    { name: project.path, href: addresses.tree(ref) },
    ...names.map((name, at) => ({
      name,
      href: addresses.tree(ref, names.slice(0, at + 1).join('/')),
    })),
  ];
  return (
    <nav aria-label="Path">
      <ol class="flex flex-wrap gap-x-1.5 font-mono text-sm break-all">
        {steps.map(({ name, href }, at) => (
          <li key={href} class="flex gap-x-1.5">
            {at > 0 && <span aria-hidden="true">/</span>}
            {at === steps.length - 1 ? (
              <span aria-current="location">{name}</span>
            ) : (
              <a class="prose-link" href={href}>
                {name}
              </a>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}
