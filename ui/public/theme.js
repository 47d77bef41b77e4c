// Before the first paint, so that a chosen theme does not flash. Without a choice the system decides.
try {
  const theme = localStorage.getItem('loam-theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {
  // storage is switched off: the system decides
}
