import type { VNode } from 'preact';
import { MAX_NAME_LENGTH, type SavedView } from '../saved-views.repository.js';
import { Button } from './button.js';
import { Form, PostButton } from './form.js';
import { Icon } from './icon.js';
import { Awaited, PageServices } from './page-services.js';

interface SavedViewsProps {
  projectId: number;
  /** Address of the list. */
  path: string;
  /** The filter of the page, as a query without `?`. */
  query: string;
}

/** Menu with the viewer's saved filters of a list; nothing for visitors. */
export function SavedViews({ projectId, path, query }: SavedViewsProps): VNode {
  const at = path.lastIndexOf('/');
  const list = path.slice(at + 1);
  const action = `${path.slice(0, at)}/views`;
  return (
    <PageServices.Consumer>
      {(services) =>
        services?.viewer != null && (
          <Awaited
            promise={services.savedViews.listOf({ userId: services.viewer.id, projectId, list })}
          >
            {(views) => (
              <div class="filter-panel view-panel" id="views" popover="auto">
                {views.length > 0 && (
                  <ul aria-label="Saved views">
                    {views.map((view) => (
                      <ViewItem
                        key={view.id}
                        view={view}
                        path={path}
                        isCurrent={view.query === query}
                        action={`${action}/${view.id}`}
                        csrfToken={services.csrfToken}
                      />
                    ))}
                  </ul>
                )}
                <Form
                  action={action}
                  csrfToken={services.csrfToken}
                  label="Save view"
                  class="flex gap-2"
                >
                  <input type="hidden" name="list" value={list} />
                  <input type="hidden" name="query" value={query} />
                  <NameField label="Name of the current view" />
                  <Button variant="outline">Save view</Button>
                </Form>
              </div>
            )}
          </Awaited>
        )
      }
    </PageServices.Consumer>
  );
}

/** Opens the menu; stands in the filter bar. */
export function SavedViewsButton(): VNode {
  return (
    <PageServices.Consumer>
      {(services) =>
        services?.viewer != null && (
          <button
            type="button"
            class="icon-button"
            popovertarget="views"
            title="Saved views"
            aria-label="Saved views"
          >
            <Icon name="bookmark" />
          </button>
        )
      }
    </PageServices.Consumer>
  );
}

interface ViewItemProps {
  view: SavedView;
  path: string;
  isCurrent: boolean;
  action: string;
  csrfToken: string;
}

function ViewItem({ view, path, isCurrent, action, csrfToken }: ViewItemProps): VNode {
  const { name, query } = view;
  return (
    <li>
      <a
        href={query === '' ? path : `${path}?${query}`}
        aria-current={isCurrent ? 'page' : undefined}
      >
        {name}
      </a>
      <details>
        <summary aria-label={`Change view ${name}`}>
          <Icon name="ellipsis" />
        </summary>
        <Form action={action} csrfToken={csrfToken} label={`Rename ${name}`} class="flex gap-2">
          <NameField label="Name" value={name} />
          <Button variant="outline" size="small">
            Rename
          </Button>
        </Form>
        <PostButton action={`${action}/delete`} csrfToken={csrfToken} size="small">
          Delete<span class="sr-only"> view {name}</span>
        </PostButton>
      </details>
    </li>
  );
}

function NameField({ label, value }: { label: string; value?: string }): VNode {
  return (
    <input
      class="control"
      name="name"
      value={value}
      maxLength={MAX_NAME_LENGTH}
      placeholder={label}
      aria-label={label}
      autocomplete="off"
      required
    />
  );
}
