// Sends the answer of the authorization endpoint; without scripts people press the button.
document.getElementById('form-post').submit();
