//! QR codes of addresses, for phones.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use qrcode::QrCode;
use qrcode::render::svg;

/// The response with the QR code of a text, as an SVG picture with its margin; 404 for no text, or one that is too long for a
/// code, from some 2900 bytes.
pub fn qr_code(text: Option<&str>) -> Response {
    let Some(code) = text.and_then(|text| QrCode::new(text).ok()) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    // Scanners expect dark modules on a light ground, whatever the colours of the page.
    let mut picture = code.render();
    picture.dark_color(svg::Color("#000")).light_color(svg::Color("#fff"));
    let headers = [
        (header::CONTENT_TYPE, "image/svg+xml"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::CONTENT_SECURITY_POLICY, "default-src 'none'"),
        (header::CACHE_CONTROL, "no-store"),
    ];
    (headers, picture.build()).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_text_becomes_a_square_of_modules() {
        let answer = qr_code(Some("http://192.168.1.5:8080/"));
        assert_eq!(answer.headers()[header::CONTENT_TYPE], "image/svg+xml");
        let body = axum::body::to_bytes(answer.into_body(), usize::MAX).await.unwrap();
        let picture = String::from_utf8(body.into()).unwrap();
        assert!(picture.contains("<svg") && picture.ends_with("</svg>"), "{picture}");
        for missing in [None, Some(&*"x".repeat(3000))] {
            assert_eq!(qr_code(missing).status(), StatusCode::NOT_FOUND);
        }
    }
}
