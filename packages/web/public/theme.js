// Before the first paint, so that nobody who chose dark sees a white flash. The same key as Mantine's manager.
(() => {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const show = () => {
    let choice;
    try {
      choice = localStorage.getItem('millrace-theme');
    } catch {
      // Storage may be forbidden; then the system decides.
    }
    if (choice !== 'light' && choice !== 'dark') choice = dark.matches ? 'dark' : 'light';
    document.documentElement.setAttribute('data-mantine-color-scheme', choice);
  };
  show();
  // Pages of the documentation have no other script that would see it.
  dark.addEventListener('change', show);
})();
