// Copies the text of a field.

/** @param {HTMLInputElement} field @param {HTMLElement} status where it is said @param {string} copied */
export async function copy(field, status, copied) {
  field.select();
  // Pages that do not come over TLS have no clipboard of the newer kind.
  if (navigator.clipboard) await navigator.clipboard.writeText(field.value).catch(() => document.execCommand("copy"));
  else document.execCommand("copy");
  status.textContent = copied;
}
