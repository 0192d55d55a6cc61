import type { VNode } from 'preact';
import { Button } from '../../../core/ui/components/button.js';
import { Document } from '../../../core/ui/document.js';

interface FormPostPageProps {
  /** Addresses of our files. */
  files: { icon: string; styleSheet: string; script: string };
  /** The redirect URI. */
  action: string;
  fields: Record<string, string>;
}

/** Takes the answer to the application in a form (OAuth 2.0 Form Post Response Mode §2). */
export function FormPostPage({ files, action, fields }: FormPostPageProps): VNode {
  const { icon, styleSheet, script } = files;
  return (
    <Document title="Back to the application" {...{ icon, script, styleSheets: [styleSheet] }}>
      <div class="page" data-width="narrow">
        <main id="content" tabIndex={-1}>
          <h1>Back to the application</h1>
          <form id="form-post" method="post" action={action} class="grid justify-items-start gap-5">
            {Object.entries(fields).map(([name, value]) => (
              <input key={name} type="hidden" name={name} value={value} />
            ))}
            <p>Your answer is sent to the application.</p>
            <Button>Continue</Button>
          </form>
        </main>
      </div>
    </Document>
  );
}
