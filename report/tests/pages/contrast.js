(() => {
  const parts = (colour) => {
    const numbers = colour.match(/-?[\d.]+/g).map(Number);
    const scaled = colour.startsWith("color(") ? numbers.slice(0, 3) : numbers.slice(0, 3).map((part) => part / 255);
    return { rgb: scaled, alpha: numbers[3] ?? 1 };
  };
  const linear = (part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
  const luminance = (rgb) => rgb.map(linear).reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index], 0);
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const { rgb, alpha } = parts(getComputedStyle(at).backgroundColor);
      if (alpha > 0.99) return rgb;
    }
    return [1, 1, 1];
  };
  const bad = new Set();
  for (const element of document.body.querySelectorAll("*")) {
    const own = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
    if (!own || !element.checkVisibility()) continue;
    const style = getComputedStyle(element);
    const ink = parts(element.namespaceURI.endsWith("svg") ? style.fill : style.color).rgb;
    const [light, dark] = [luminance(ink), luminance(behind(element))].sort((a, b) => b - a);
    const ratio = (light + 0.05) / (dark + 0.05);
    const size = parseFloat(style.fontSize);
    const isLarge = size >= 24 || (size >= 18.66 && style.fontWeight >= 700);
    if (ratio < (isLarge ? 3 : 4.5)) bad.add(`${element.className.baseVal ?? element.className} ${element.textContent.slice(0, 20)}: ${ratio.toFixed(2)}`);
  }
  return JSON.stringify([...bad]);
})()
