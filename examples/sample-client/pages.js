/** @param {unknown} value */
function escaped(value) {
  return String(value ?? '').replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** @param {string} content */
function page(content) {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Sample client</title>
<h1>Sample client</h1>
${content}
</html>
`;
}

/** The page for who is not signed in. */
export function welcomePage() {
  return page('<p>Nobody is signed in.</p>\n<p><a href="/login">Sign in with Guildhall</a></p>');
}

/**
 * Claims and user data of the signed-in user.
 * @param {Record<string, unknown>} profile claims
 * @param {{ status: number, body: Record<string, unknown> }} user answer of the API
 * @param {Date} expiresAt
 */
export function profilePage(profile, { status, body }, expiresAt) {
  return page(`<h2>Signed in as ${escaped(profile.name)}</h2>
<dl>
  <dt>Subject</dt><dd>${escaped(profile.sub)}</dd>
  <dt>User name</dt><dd>${escaped(profile.preferred_username)}</dd>
  <dt>E-mail address</dt><dd>${escaped(profile.email)}</dd>
  <dt>GET /api/v4/user answers</dt><dd>${escaped(status)} ${escaped(body.username)}</dd>
  <dt>The access token is good until</dt><dd>${escaped(expiresAt.toISOString())}</dd>
</dl>
<form method="post" action="/refresh"><button>Refresh the tokens</button></form>
<form method="post" action="/revoke"><button>Revoke the tokens</button></form>`);
}

/**
 * The page for what was refused.
 * @param {string} reason
 */
export function refusedPage(reason) {
  return page(`<h2>Guildhall has refused</h2>
<p>${escaped(reason)}</p>
<p><a href="/login">Sign in with Guildhall</a></p>`);
}
