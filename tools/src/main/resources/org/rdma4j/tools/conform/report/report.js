for (const button of document.querySelectorAll('.legend button')) {
  button.onclick = () => {
    for (const check of document.querySelectorAll('details')) {
      check.hidden = button.dataset.verdict !== '' && check.dataset.verdict !== button.dataset.verdict;
    }
  };
}
const open = () => {
  const check = document.getElementById(location.hash.slice(1));
  if (check && check.tagName === 'DETAILS') { check.hidden = false; check.open = true; check.scrollIntoView(); }
};
addEventListener('hashchange', open);
open();
